/** What a fetch gives back. Nothing that a server does is an exception: a crawl counts it and goes on. */

/** A response, perhaps cut; nothing is decoded. */
export interface Exchange {
  readonly kind: 'response';
  readonly status: number;
  readonly reason: string;
  /** As sent, in order, names in the server's spelling; a character a byte. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Content as sent, content coding kept, transfer coding undone. */
  readonly body: Buffer;
  readonly cut: Cut | null;
  /** Address of the server; null where it is not known. */
  readonly address: string | null;
  readonly startedAtMs: number;
  readonly durationMs: number;
}

/** Why a body is not whole: too long, too slow, the connection broke, or the caller did not want it. */
export type Cut = 'length' | 'time' | 'disconnect' | 'unwanted';

export type FailureReason =
  | 'address' // the guard refused an address of the host
  | 'port' // the port is that of another protocol; nothing was sent
  | 'dns' // the host has no address, or the resolver failed
  | 'connect' // no connection
  | 'tls' // no trusted connection
  | 'timeout' // connected, but no head of a response in time
  | 'closed' // connected, and closed before the head was whole
  | 'protocol'; // what came is not HTTP, or its head is too large

export interface Failure {
  readonly kind: 'failure';
  readonly reason: FailureReason;
  readonly detail: string;
  readonly startedAtMs: number;
  readonly durationMs: number;
}

const CONNECT = new Set([
  ...['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'EADDRNOTAVAIL', 'ENETDOWN'],
  ...['ETIMEDOUT', 'EACCES', 'EPERM', 'EINVAL', 'UND_ERR_CONNECT_TIMEOUT'],
]);
const TIMEOUT = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'TIME_LIMIT']);
const CLOSED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED']);

/** Says by its code what kind of failure an error is. */
export function failureReason(error: unknown): FailureReason {
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  if (code === 'ADDRESS_REFUSED') return 'address';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'ETIMEOUT' || code === 'ENODATA') return 'dns';
  if (CONNECT.has(code)) return 'connect';
  if (TIMEOUT.has(code)) return 'timeout';
  if (CLOSED.has(code)) return 'closed';
  // OpenSSL's own: CERT_HAS_EXPIRED, DEPTH_ZERO_SELF_SIGNED_CERT, UNABLE_TO_VERIFY_LEAF_SIGNATURE, ERR_TLS_..., EPROTO
  if (/CERT|TLS|SSL|VERIFY|^EPROTO$|SELF_SIGNED|CRL_/.test(code)) return 'tls';
  return 'protocol';
}
