/**
 * Every error akin throws on purpose. The class says how to react, the code says what happened,
 * the hint says what to do. Exit codes and HTTP statuses are decided elsewhere
 * (`cli/terminal/process-end.ts`, `service/http/hooks/error-reply.ts`), never here.
 */

interface ErrorDetail {
  /** What to do about it. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

export abstract class AkinError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, detail: ErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.code = code;
    this.hint = detail.hint;
  }
}

/** The input or an option cannot be used: correct it and try again. */
export class InputError extends AkinError {
  override readonly name = 'InputError';
}

/** The requested page, cluster or document is not in this index. */
export class NotIndexedError extends AkinError {
  override readonly name = 'NotIndexedError';
}

/** Stored bytes break an invariant: stop, and build the index again from its source. */
export class CorruptError extends AkinError {
  override readonly name = 'CorruptError';
}

/** A temporary system error (disk full, file locked): the same call can succeed later. */
export class TransientError extends AkinError {
  override readonly name = 'TransientError';
}

/** The configuration cannot be used: do not start. */
export class ConfigError extends AkinError {
  override readonly name = 'ConfigError';
}

/** An option that cannot be used, or not with the others. */
export function optionFault(message: string, hint?: string, cause?: unknown): InputError {
  return new InputError('AKIN_ERR_OPTION', message, { hint, cause });
}

const CLASSES = { InputError, NotIndexedError, CorruptError, TransientError, ConfigError } as const;

/** An error on its way from one thread to another, where errors lose their class. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** Of an AkinError, or of the system. */
  readonly code: string | undefined;
  readonly syscall: string | undefined;
  readonly hint: string | undefined;
  readonly cause: unknown;
}

export function sentError(thrown: unknown): SentError {
  const error = (thrown instanceof Error ? thrown : new Error(String(thrown))) as NodeJS.ErrnoException;
  const { name, message, stack, code, syscall } = error;
  const hint = error instanceof AkinError ? error.hint : undefined;
  const cause = error.cause instanceof Error ? `${error.cause.stack}` : undefined;
  return { name, message, stack, code, syscall, hint, cause };
}

export function receivedError({ name, message, stack, code, syscall, hint, cause }: SentError): Error {
  const kind = CLASSES[name as keyof typeof CLASSES];
  const detail = { ...(hint !== undefined && { hint }), ...(cause !== undefined && { cause }) };
  const error =
    kind === undefined
      ? Object.assign(new Error(message, detail), { code, syscall })
      : new kind(code as ErrorCode, message, detail);
  if (stack !== undefined) error.stack = stack;
  return error;
}

export const ERROR_CODES = [
  'AKIN_ERR_CONFIG',
  'AKIN_ERR_INPUT_MISSING',
  'AKIN_ERR_INPUT_UNREADABLE',
  'AKIN_ERR_INPUT_EMPTY',
  'AKIN_ERR_URL',
  'AKIN_ERR_OPTION',
  'AKIN_ERR_DOCUMENT',
  'AKIN_ERR_NOT_AN_INDEX',
  'AKIN_ERR_INDEX_NEWER',
  'AKIN_ERR_INDEX_CORRUPT',
  'AKIN_ERR_INDEX_BUSY',
  'AKIN_ERR_SHARDS_LOST',
  'AKIN_ERR_PAGE_NOT_INDEXED',
  'AKIN_ERR_CLUSTER_NOT_FOUND',
  'AKIN_ERR_DISK',
  'AKIN_ERR_GENERATION_CHANGED',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];
