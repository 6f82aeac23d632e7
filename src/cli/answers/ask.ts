import { type AkinError, InputError, NotIndexedError, TransientError } from '../../errors.ts';
import type { PostedBody } from '../../service/http/body.ts';
import type { Problem } from '../../service/http/problems/problem.ts';
import type { AnswerOf, Given, RouteName } from '../../service/routes/request.ts';
import type { ParameterFaultAnswer } from '../../service/schemas/answers/problem-answers.ts';
import { printable } from '../terminal/terminal.ts';

/**
 * Asks a route about an index, inside this process.
 *
 * Errors  NotIndexedError, InputError, TransientError, by the code of the problem that the service would answer; as `openIndex`.
 */
export async function ask<Name extends RouteName>(
  indexPath: string,
  route: Name,
  values: Given<Name>,
  body: PostedBody | null = null,
): Promise<AnswerOf<Name>> {
  const { openIndex } = await import('../../service/reads/shards/open-shards.ts');
  const { indexAsker } = await import('../../service/routes/ask-index.ts');
  const index = await openIndex([indexPath], { preload: false });
  try {
    return (await indexAsker(index)(route, values, body)) as AnswerOf<Name>;
  } catch (error) {
    throw await asCommandError(error, indexPath);
  } finally {
    index.close();
  }
}

/** A problem of the service as an error of the command line; any other error as it is. */
export async function asCommandError(error: unknown, indexPath: string): Promise<unknown> {
  const { Problem } = await import('../../service/http/problems/problem.ts');
  return error instanceof Problem ? ofProblem(error, indexPath) : error;
}

function ofProblem(problem: Problem, indexPath: string): AkinError | Problem {
  const { code, message: detail, errors = [], nearest = [] } = problem;
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
      return new InputError('AKIN_ERR_DOCUMENT', detail, { hint: 'akin help COMMAND describes the input' });
    case 'not-ready':
    case 'overloaded':
      return new TransientError('AKIN_ERR_INDEX_BUSY', detail);
    case 'internal':
      return problem;
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
