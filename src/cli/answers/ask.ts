import type { PostedBody } from '../../service/http/body.ts';
import type { AnswerOf, Given, RouteName } from '../../service/routes/request.ts';
import type { ParameterFaultAnswer } from '../../service/schemas/answers/problem-answers.ts';

/**
 * Asks a route about an index, or about all shards in a folder, inside this process, for a command.
 *
 * Errors  NotIndexedError, InputError, TransientError, by the code of the problem that the service would answer; as `openIndex`, `filesOf`.
 */
export async function ask<Name extends RouteName>(
  command: string,
  indexPath: string,
  route: Name,
  values: Given<Name>,
  body: PostedBody | null = null,
): Promise<AnswerOf<Name>> {
  const { openIndex } = await import('../../service/reads/shards/open-shards.ts');
  const { indexAsker } = await import('../../service/routes/ask-index.ts');
  const { filesOf } = await import('../../indexer/options/stored-options.ts');
  const index = await openIndex(filesOf(indexPath), { preload: false });
  try {
    return (await indexAsker(index)(route, values, body)) as AnswerOf<Name>;
  } catch (error) {
    throw await asCommandError(error, command, indexPath);
  } finally {
    index.close();
  }
}

/** A problem of the service as an error of the command line; any other error as it is. */
export async function asCommandError(error: unknown, command: string, indexPath: string): Promise<unknown> {
  const { errorOfProblem } = await import('../../service/http/problems/problem-error.ts');
  const { filesOf } = await import('../../indexer/options/stored-options.ts');
  const file = filesOf(indexPath)[0]!;
  const hints = {
    'page-not-indexed': `for a page that is not in the index: akin similar ${indexPath} page.html`,
    'relation-not-in-index': `akin show ${file} lists the relations${file === indexPath ? '; of one shard, give the folder of all' : ''}`,
    'search-not-in-index': `build the index with its texts and without --no-search: akin index INPUT... --to ${file === indexPath ? file : 'FILE, and split it again'}`,
    'invalid-body': `akin help ${command} describes the input`,
    others: `akin help ${command} lists what is allowed`,
  };
  return errorOfProblem(error, hints, ({ code, message, errors = [] }) => {
    if (code === 'invalid-body' || errors.length === 0) return message;
    const isOfIndex = code === 'page-not-indexed' || code === 'relation-not-in-index';
    return errors.map((fault) => (isOfIndex ? fault.detail : flagFault(fault))).join('; ');
  });
}

/** `--same-site: must be one of include, exclude, only`: the parameter by the name that it has here. */
function flagFault({ parameter, detail }: ParameterFaultAnswer): string {
  if (parameter === 'q') return `WORDS: ${detail}`;
  return `${parameter === 'url' ? 'URL' : `--${parameter.replaceAll('_', '-')}`}: ${detail}`;
}
