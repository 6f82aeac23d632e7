/** Who may read everything at once. */
import { BlockList, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../problems/problem.ts';

/** loopback: programs of the machine that the service runs on, and whoever has a key that operates it. */
export const READERS = ['loopback', 'anyone', 'off'] as const;
export type ExportReaders = (typeof READERS)[number];

/** Exports at the same time; each takes what the event loop has left. */
const MAX_EXPORTS = 2;
const RETRY_SECONDS = 60;

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');
loopback.addSubnet('::ffff:127.0.0.0', 104, 'ipv6');

/** What a proxy says of where a request came from. */
const PASSED_ON = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'];

export class ExportDoor {
  readonly #readers: ExportReaders;
  readonly #trustsProxy: boolean;
  #openCount = 0;

  /** @param trustsProxy whether the address of a request is that of the client behind a proxy. */
  constructor(readers: ExportReaders, trustsProxy: boolean) {
    this.#readers = readers;
    this.#trustsProxy = trustsProxy;
  }

  /**
   * Lets a request in; to be called once it has ended is what is returned.
   *
   * Errors  Problem `export-not-allowed`, `overloaded`.
   */
  enter(request: FastifyRequest): () => void {
    if (this.#readers === 'off') {
      throw new Problem('export-not-allowed', 'this service exports nothing; akin export FILE does');
    }
    if (this.#readers === 'loopback' && request.akinKey?.scope !== 'operate' && !this.#isFromHere(request)) {
      throw new Problem(
        'export-not-allowed',
        'everything at once is for programs on the machine of the service, and for keys of the scope operate; akin serve --exports anyone opens it to all',
      );
    }
    if (this.#openCount >= MAX_EXPORTS) {
      const detail = `${MAX_EXPORTS} exports are under way; come again in ${RETRY_SECONDS} seconds`;
      throw new Problem('overloaded', detail, { headers: { 'retry-after': String(RETRY_SECONDS) } });
    }
    this.#openCount++;
    return () => {
      this.#openCount--;
    };
  }

  /** A proxy on this machine passes on what comes from anywhere, and a browser what a page of any site asks for. */
  #isFromHere({ ip, headers }: FastifyRequest): boolean {
    const isPassedOn = !this.#trustsProxy && PASSED_ON.some((name) => headers[name] !== undefined);
    const isOfPage = headers.origin !== undefined || /-site$/.test(String(headers['sec-fetch-site']));
    return !isPassedOn && !isOfPage && loopback.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4');
  }
}
