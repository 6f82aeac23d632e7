import type { Command } from 'commander';
import { type AkinError, InputError, NotIndexedError, TransientError } from '../../errors.ts';

/** A request to the service that never leaves the process. */
export interface Question {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: { readonly mediaType: string; readonly bytes: Uint8Array };
}

interface ProblemBody {
  readonly detail: string;
  readonly code: string;
}

/**
 * Asks the HTTP service about an index, inside this process.
 *
 * Errors  as the service answers them: NotIndexedError, InputError, TransientError.
 */
export async function ask<Answer>(indexPath: string, question: Question): Promise<Answer> {
  const { buildApp } = await import('../../service/app.ts');
  const app = await buildApp({ indexPath, preload: false });
  try {
    const url = `${question.path}?${queryString(question.query)}`;
    const { body } = question;
    const answer = await app.inject({
      method: question.method,
      url,
      ...(body && { payload: Buffer.from(body.bytes), headers: { 'content-type': body.mediaType } }),
    });
    if (answer.statusCode >= 400) throw asError(answer.json() as ProblemBody, indexPath);
    return answer.json() as Answer;
  } finally {
    await app.close();
  }
}

function queryString(query: Question['query']): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value ?? []].flat()) parameters.append(name, one);
  }
  return parameters.toString();
}

function asError({ code, detail }: ProblemBody, indexPath: string): AkinError | Error {
  switch (code) {
    case 'page-not-indexed':
      return new NotIndexedError('AKIN_ERR_PAGE_NOT_INDEXED', withoutEndpoint(detail), {
        hint: `for a page the index has never seen: akin similar ${indexPath} page.html`,
      });
    case 'cluster-not-found':
      return new NotIndexedError('AKIN_ERR_CLUSTER_NOT_FOUND', withoutEndpoint(detail));
    case 'invalid-body':
    case 'body-too-large':
      return new InputError('AKIN_ERR_DOCUMENT', detail, { hint: 'akin help COMMAND says what it takes' });
    case 'not-ready':
    case 'overloaded':
      return new TransientError('AKIN_ERR_INDEX_BUSY', detail);
    case 'internal':
      return new Error(detail);
    default:
      return new InputError('AKIN_ERR_OPTION', asFlags(detail), {
        hint: 'akin help COMMAND lists what is allowed',
      });
  }
}

/** What was wrong, without what would help over HTTP: the hint names the command. A URL holds no blank. */
function withoutEndpoint(detail: string): string {
  return detail.replace(/(; (GET|POST)|, and this service) .*$/, '');
}

/** A complaint about parameters, with the names that they have here: `same_site: must be` is `--same-site must be`. */
function asFlags(detail: string): string {
  return detail
    .replace(/(^|; )([a-z_]+): /g, (_, before: string, name: string) =>
      name === 'url' ? `${before}URL: ` : `${before}--${name.replaceAll('_', '-')}: `,
    )
    .replace(/\bby=(\w+)/g, '--by $1');
}

const LIST_FLAGS = [
  ['--by <RELATION>', 'the relation asked about (default topic)', 'by'],
  ['--limit <N>', 'results to print (default 10, at most 100)', 'limit'],
  ['--min-similarity <X>', 'leave out what is less similar, 0 to 1', 'min_similarity'],
  ['--same-site <HOW>', 'include, exclude or only', 'same_site'],
  ['--max-per-site <N>', 'results of one site at most', 'max_per_site'],
  ['--lang <TAG>', 'only pages in this language', 'lang'],
] as const;

/** The flags of a list of related pages, one for each query parameter of `GET /related`. */
export function addListFlags(command: Command): Command {
  for (const [flag, doc] of LIST_FLAGS) command.option(flag, doc);
  return command
    .option('--exclude <URL...>', 'leave these pages out')
    .option('--explain', 'name the terms that both pages share')
    .option('--json', 'print the answer of the HTTP service');
}

/** Flags that say nothing where copies are asked for. */
const TOPIC_FLAGS = ['explain', 'exact'];

/**
 * What the flags of `addListFlags` say, as query parameters. The service judges the values.
 *
 * Errors  InputError AKIN_ERR_OPTION for a flag that would change nothing.
 */
export function listQuery(command: Command): Record<string, string | readonly string[] | undefined> {
  const flags = command.opts<Record<string, string | string[] | true | undefined>>();
  const query: Record<string, string | readonly string[] | undefined> = {};
  for (const [flag, , parameter] of LIST_FLAGS) {
    const name = flag
      .slice(2, flag.indexOf(' '))
      .replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    query[parameter] = flags[name] as string | undefined;
  }
  query['exclude'] = flags['exclude'] as string[] | undefined;
  const idle = flags['by'] === 'copy' ? TOPIC_FLAGS.find((name) => flags[name] === true) : undefined;
  if (idle !== undefined) {
    throw new InputError('AKIN_ERR_OPTION', `--${idle} is for topics; with --by copy it has no effect`, {
      hint: 'leave it out; akin compare A B --index FILE shows what two pages share',
    });
  }
  if (flags['explain'] === true) query['explain'] = 'true';
  return query;
}
