import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { type AkinError, InputError, NotIndexedError, TransientError } from '../../errors.ts';
import { DEFAULT_RELATION, findRelation, STORED_RELATION_NAMES } from '../../relations/relations.ts';
import type { ListFilter } from '../../service/schemas/list-filter.ts';
import { LIST_FILTERS } from '../../service/schemas/list-filters.ts';
import type { ParameterFaultAnswer, ProblemAnswer } from '../../service/schemas/problem-answers.ts';
import { printable, type Terminal } from '../terminal/terminal.ts';

/** A request to the service inside this process. */
interface Question {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: { readonly mediaType: string; readonly bytes: Uint8Array };
}

/**
 * Asks the HTTP service about an index, inside this process.
 *
 * Errors  NotIndexedError, InputError, TransientError, by the code of the problem that the service answers.
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
    if (answer.statusCode >= 400) throw asError(answer.json() as ProblemAnswer, indexPath);
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

/** An error of the service as one of the command line. The service lists faulty parameters as data. */
function asError(
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

/** What `--by` may be of a cluster. */
export const CLUSTERED_BY_HELP = `${STORED_RELATION_NAMES.join(', ')} (default ${DEFAULT_RELATION.name})`;

/** Of a list for a page of the index, or for a document. */
type Subject = 'page' | 'document';

const FILTERS = Object.entries<ListFilter>(LIST_FILTERS);

function flagsOf(subject: Subject) {
  return FILTERS.flatMap(([name, { flag, isOfPages }]) => {
    if (flag === undefined || (isOfPages === true && subject === 'document')) return [];
    const [placeholder, help] = flag;
    return [{ name, option: new Option(`--${name.replaceAll('_', '-')} ${placeholder}`.trim(), help) }];
  });
}

/** The flags of a list of related pages, one for each filter. */
export function addListFlags(command: Command, subject: Subject): Command {
  for (const { option } of flagsOf(subject)) command.addOption(option);
  return command.option('--json', 'print the answer of the HTTP service');
}

/** Flags without effect where pages are near by the shingles that they share. */
const BAG_FLAGS = ['explain', 'exact'];

/**
 * The flags of `addListFlags` as query parameters. The service checks the values.
 *
 * Errors  InputError AKIN_ERR_OPTION for a flag without effect.
 */
export function listQuery(command: Command, subject: Subject): Question['query'] {
  const flags = command.opts<Record<string, string | string[] | true | undefined>>();
  const relation = findRelation(String(flags['by'] ?? DEFAULT_RELATION.name));
  const idle = BAG_FLAGS.find((name) => flags[name] === true);
  if (relation?.neighbors === 'shared shingles' && idle !== undefined) {
    throw new InputError(
      'AKIN_ERR_OPTION',
      `--${idle} is for topics; with --by ${relation.name} it has no effect`,
      {
        hint: 'leave it out; akin compare A B --index FILE shows what two pages share',
      },
    );
  }
  const given = flagsOf(subject).map(({ name, option }) => {
    const value = flags[option.attributeName()];
    return [name, value === true ? 'true' : value];
  });
  return Object.fromEntries(given);
}

/**
 * The bytes of a file, or of standard input for `-`.
 *
 * Errors  InputError AKIN_ERR_INPUT_MISSING.
 */
export async function readDocument(path: string, { stdin }: Terminal): Promise<Uint8Array> {
  if (path === '-') {
    const chunks: Buffer[] = [];
    for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Uint8Array));
    return Buffer.concat(chunks);
  }
  try {
    return await readFile(path);
  } catch (cause) {
    throw new InputError('AKIN_ERR_INPUT_MISSING', `cannot read the document ${path}`, {
      hint: 'give the path of a text or HTML file, or - for standard input',
      cause,
    });
  }
}

/** The kind that --type names, or HTML where the first character is `<`. Errors  InputError AKIN_ERR_OPTION. */
export function documentKind(kind: string | undefined, bytes: Uint8Array): 'html' | 'text' {
  if (kind === 'text' || kind === 'html') return kind;
  if (kind !== undefined) {
    throw new InputError('AKIN_ERR_OPTION', `--type is "${kind}"`, { hint: 'allowed: text, html' });
  }
  const first = Buffer.from(bytes.subarray(0, 1024))
    .toString('latin1')
    .replace(/^(\u00ef\u00bb\u00bf)?\s+/, '');
  return first.startsWith('<') ? 'html' : 'text';
}
