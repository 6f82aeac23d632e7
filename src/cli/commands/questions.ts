/** The commands that ask an index: each is a route of the service, and how its answer is printed. */
import { InputError, optionFault } from '../../errors.ts';
import { decodeBody } from '../../page/decode.ts';
import { jsonBody, type PostedBody } from '../../service/http/body.ts';
import type { GivenExample } from '../../service/schemas/parameters/bodies.ts';
import { RELATED, SIMILAR } from '../../service/schemas/parameters/list-parameters.ts';
import { CLUSTER, COVER, HISTORY, SEARCH } from '../../service/schemas/parameters/parameters.ts';
import { askingCommand } from '../answers/asking-command.ts';
import { renderCluster } from '../answers/cluster-list.ts';
import { renderCover, renderGroups, resultsOf } from '../answers/copy-lists.ts';
import { documentKind, readDocument } from '../answers/documents.ts';
import { headText } from '../answers/phrases.ts';
import { renderRelated } from '../answers/related-list.ts';
import { renderSearch } from '../answers/search-list.ts';
import { renderHistory } from '../answers/time-lists.ts';
import { flagNumber } from '../settings/flag-number.ts';
import { printable, type Terminal } from '../terminal/terminal.ts';

const PAGE = ['<url>', 'a page of the index, or an alias of one'] as const;
const asksPage = (url: string) => ({ values: { url } });

const DOCUMENT = ['<doc>', 'the document; - is standard input'] as const;
const DOCUMENT_FLAGS = [
  ['--type <KIND>', 'text or html; without it, a document that starts with < is HTML'],
] as const;

/** A document by its path, or a page of the index by its URL. */
async function exampleOf(place: string, type: unknown, terminal: Terminal): Promise<GivenExample> {
  if (/^https?:\/\//i.test(place)) return { url: place };
  const bytes = await readDocument(place, terminal);
  const text = decodeBody(bytes, null)?.text;
  if (text === undefined) {
    throw optionFault(`${place} is binary data`, 'give a file of text or HTML');
  }
  return documentKind(type, bytes) === 'html' ? { html: text } : { text };
}

async function asksExamples(
  path: string,
  flags: Readonly<Record<'like' | 'unlike' | 'type' | 'vectors', unknown>>,
  terminal: Terminal,
): Promise<{ body: PostedBody }> {
  type Given = { like?: string[]; unlike?: string[]; vectors?: string };
  const { like = [], unlike = [], vectors } = flags as Given;
  const isByExamples = like.length + unlike.length > 0;
  if (vectors !== undefined && isByExamples) {
    throw optionFault(
      '--vectors goes with a document or alone, not with --like',
      'examples that are pages of the index have the vectors of these',
    );
  }
  if (vectors !== undefined) return asksVectors(path, vectors, flags.type, terminal);
  if (isByExamples === (path !== '')) {
    throw optionFault('give one document, or examples with --like', 'akin help similar has examples');
  }
  if (!isByExamples) return asksDocument(path, flags, terminal);
  const read = (places: string[]) =>
    Promise.all(places.map((place) => exampleOf(place, flags.type, terminal)));
  const [liked, unliked] = await Promise.all([read(like), read(unlike)]);
  return {
    body: jsonBody({
      ...(like.length > 0 && { like: liked }),
      ...(unliked.length > 0 && { unlike: unliked }),
    }),
  };
}

/** Vectors, alone or beside a document. Errors  InputError for a file that is no JSON. */
async function asksVectors(
  path: string,
  file: string,
  type: unknown,
  terminal: Terminal,
): Promise<{ body: PostedBody }> {
  const document = path === '' ? {} : await exampleOf(path, type, terminal);
  const text = Buffer.from(await readDocument(file, terminal)).toString();
  try {
    return { body: jsonBody({ ...document, vectors: JSON.parse(text) as unknown }) };
  } catch (cause) {
    throw new InputError('AKIN_ERR_DOCUMENT', `${file} is not valid JSON`, {
      hint: 'give a file such as {"minilm": [0.1, -0.2]}',
      cause,
    });
  }
}

async function asksDocument(
  path: string,
  { type }: { readonly type?: unknown },
  terminal: Terminal,
): Promise<{ body: PostedBody }> {
  const bytes = await readDocument(path, terminal);
  const isHtml = documentKind(type, bytes) === 'html';
  return {
    body: isHtml
      ? { mediaType: 'text/html', charset: null, bytes }
      : { mediaType: 'text/plain', charset: 'utf-8', bytes },
  };
}

export const relatedCommand = askingCommand({
  name: 'related',
  describes: 'print the pages related to a page',
  route: 'related',
  parameters: RELATED,
  word: PAGE,
  help: `
Examples:
  akin related web.akin https://example.org/page
  akin related web.akin https://example.org/page --same-site exclude --explain
  akin related web.akin https://example.org/page --by copy
  akin related web.akin https://example.org/page --by cocitation --explain
  akin related web.akin https://example.org/page --json --limit 50`,
  asks: asksPage,
  print: (answer) => `${headText(answer)}\n\n${renderRelated(answer)}`,
});

export const clusterCommand = askingCommand({
  name: 'cluster',
  describes: 'print the cluster of a page, and the broader clusters around it',
  route: 'cluster',
  parameters: CLUSTER,
  word: PAGE,
  help: `
Examples:
  akin cluster web.akin https://example.org/page --limit 50
  akin cluster web.akin https://example.org/page --by copy
  akin cluster web.akin https://example.org/page --by copy --clustering 0.8c`,
  asks: asksPage,
  print: renderCluster,
});

export const similarCommand = askingCommand({
  name: 'similar',
  describes: 'print the pages nearest to a document that is not in the index',
  route: 'similar',
  parameters: SIMILAR,
  word: ['[doc]', DOCUMENT[1]],
  flags: [
    ...DOCUMENT_FLAGS,
    ['--like <DOC...>', 'in place of one document: examples, files or URLs of pages of the index'],
    ['--unlike <DOC...>', 'beside --like: what the pages should not be like'],
    [
      '--vectors <JSON>',
      'a file of {"name": [numbers]}: with --by meaning alone or beside the document; beside it where lists go by words and vectors',
    ],
  ],
  help: `
DOC is a file of text or HTML, or - for standard input. A document that starts with < is HTML.

Examples:
  akin similar web.akin draft.html
  akin similar web.akin draft.html --by copy
  akin similar web.akin draft.html --exact
  akin similar web.akin --like https://example.org/a https://example.org/b --unlike notes.txt
  akin similar web.akin --by meaning --vectors query.json
  echo 'how to draw a smooth curve through points' | akin similar web.akin -`,
  asks: asksExamples,
  print: (answer) => {
    const terms = answer.terms.slice(0, 10).map(({ term }) => printable(term));
    return `${terms.length > 0 ? `terms: ${terms.join(', ')}\n\n` : ''}${renderRelated(answer)}`;
  },
});

export const coverCommand = askingCommand({
  name: 'cover',
  describes: 'print the fewest pages that hold a document together, and what of it none holds',
  route: 'cover',
  parameters: COVER,
  word: DOCUMENT,
  flags: DOCUMENT_FLAGS,
  help: `
Each page is the one that adds most to those before it. Passages of fewer than ten words are not seen.

Examples:
  akin cover web.akin draft.html
  akin cover web.akin draft.txt --min-share 0.1`,
  asks: asksDocument,
  print: renderCover,
});

export const searchCommand = askingCommand({
  name: 'search',
  describes: 'print the pages that have some words',
  route: 'search',
  parameters: SEARCH,
  word: ['<words...>', 'what to look for'],
  help: `
A page must have all words. "a phrase" in the quotes of the shell, -word for what it must not have (after --),
site:host for one site or host, -site:host for none of its pages, begin* for words that begin so. The last word stands for longer ones, too; a word
that no page has is taken for the nearest one. In double quotes words are as they are written.

Examples:
  akin search web.akin prune roses
  akin search web.akin '"early spring" roses' --site example.org
  akin search web.akin -- roses -hybrid`,
  asks: (q) => ({ values: { q } }),
  print: renderSearch,
});

export const groupCommand = askingCommand({
  name: 'group',
  describes: 'group the copies in a list of results',
  route: 'group',
  parameters: {},
  word: ['<list>', 'the list of results; - is standard input'],
  flags: [
    [
      '--threshold <X>',
      'least resemblance to the first page of a group, 0 to 1 (default: --copy-at of the index)',
    ],
  ],
  help: `
LIST is a file, or - for standard input. It has one URL on each line, or JSON: an array of URLs and of
{ "url", "text" }, or an object whose "results" is such an array. Best result first, at most 200.

Examples:
  akin group web.akin results.txt
  akin group web.akin results.json --threshold 0.8 --json
  printf '%s\\n' https://example.org/a https://example.net/a | akin group web.akin -`,
  asks: async (list, { threshold }, terminal) => {
    const results = resultsOf(list, Buffer.from(await readDocument(list, terminal)).toString());
    if (threshold === undefined) return { body: jsonBody({ results }) };
    const least = flagNumber('--threshold', String(threshold), { min: 0, max: 1 });
    return { body: jsonBody({ results, threshold: least }) };
  },
  print: renderGroups,
});

export const historyCommand = askingCommand({
  name: 'history',
  describes: 'print the captures of a page, and how it changed',
  route: 'history',
  parameters: HISTORY,
  word: PAGE,
  help: `
Kept is the share of the text before that is still there; New is the share of the text that was not there before.

Examples:
  akin history web.akin https://example.org/page
  akin history web.akin https://example.org/page --json --limit 100`,
  asks: asksPage,
  print: renderHistory,
});
