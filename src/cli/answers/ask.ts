import { type AkinError, InputError, NotIndexedError, TransientError } from '../../errors.ts';
import type { AnswerOf, Given, RouteName } from '../../service/routes/request.ts';
import type { ParameterFaultAnswer, ProblemAnswer } from '../../service/schemas/answers/problem-answers.ts';
import { printable } from '../terminal/terminal.ts';

/** What is posted. */
export interface Body {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export function jsonBody(value: unknown): Body {
  return { mediaType: 'application/json', bytes: Buffer.from(JSON.stringify(value)) };
}

/**
 * Asks a route of the HTTP service about an index, inside this process.
 *
 * Errors  NotIndexedError, InputError, TransientError, by the code of the problem that the service answers.
 */
export async function ask<Name extends RouteName>(
  indexPath: string,
  route: Name,
  values: Given<Name>,
  body?: Body,
): Promise<AnswerOf<Name>> {
  const { buildApp } = await import('../../service/app.ts');
  const { requestTo } = await import('../../service/routes/request.ts');
  const app = await buildApp({ indexPath, preload: false });
  try {
    const answer = await app.inject({
      ...requestTo(route, values),
      ...(body && { payload: Buffer.from(body.bytes), headers: { 'content-type': body.mediaType } }),
    });
    if (answer.statusCode >= 400) throw asError(answer.json() as ProblemAnswer, indexPath);
    return answer.json() as AnswerOf<Name>;
  } finally {
    await app.close();
  }
}

/** An error of the service as one of the command line. The service lists faulty parameters as data. */
export function asError(
  { code, detail, errors = [], nearest = [] }: ProblemAnswer,
  indexPath: string,
): AkinError | Error {
  const message = errors.map(flagFault).join('; ') || detail;
  const faults = errors.map((fault) => fault.detail).join('; ') || detail;
  switch (code) {
    case 'page-not-indexed':
      return new NotIndexedError('AKIN_ERR_PAGE_NOT_INDEXED', faults, {
        hint:
          nearest.length > 0
            ? `nearest in the index: ${nearest.map(printable).join(' ')}`
            : `for a page that is not in the index: akin similar ${indexPath} page.html`,
      });
    case 'relation-not-in-index':
      return new InputError('AKIN_ERR_OPTION', faults, {
        hint: `akin show ${indexPath} lists the relations`,
      });
    case 'search-not-in-index':
      return new InputError('AKIN_ERR_OPTION', detail, {
        hint: `build the index with its texts and without --no-search: akin index INPUT... --to ${indexPath}`,
      });
    case 'invalid-body':
    case 'body-too-large':
      return new InputError('AKIN_ERR_DOCUMENT', detail, { hint: 'akin help COMMAND describes the input' });
    case 'not-ready':
    case 'overloaded':
      return new TransientError('AKIN_ERR_INDEX_BUSY', detail);
    case 'internal':
      return new Error(detail);
    default:
      return new InputError('AKIN_ERR_OPTION', message, {
        hint: 'akin help COMMAND lists what is allowed',
      });
  }
}

/** `--same-site: must be one of include, exclude, only`: the parameter by the name that it has here. */
function flagFault({ parameter, detail }: ParameterFaultAnswer): string {
  if (parameter === 'q') return `WORDS: ${detail}`;
  return `${parameter === 'url' ? 'URL' : `--${parameter.replaceAll('_', '-')}`}: ${detail}`;
}
