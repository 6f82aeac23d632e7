/**
 * The bodies of POST /similar, /compare and /group, from the bytes that were posted, and that of GET /search. Runs on a thread where documents
 * may be large, in place where a single question is asked.
 */
import { readFeatures } from '../../features/own-features.ts';
import { decodeBody } from '../../page/decode.ts';
import { type AskedRead, readsAnswer } from '../held/answer-reads.ts';
import type { DocumentJob } from '../held/document-threads.ts';
import type { Generation } from '../held/generation.ts';
import { parseJson } from '../http/body.ts';
import { parameterReader, readInside } from '../http/parameter-reader.ts';
import { Problem, parameterProblem } from '../http/problem.ts';
import { questionHash } from '../http/question.ts';
import { readCursor, textHash } from '../http/request-key.ts';
import { CompareBody, GroupBody, GroupResult, SimilarBody, type SimilarDocument } from '../schemas/bodies.ts';
import { SIMILAR, type SimilarQuery } from '../schemas/list-parameters.ts';
import type { CompareQuery } from '../schemas/parameters.ts';
import { type GivenResult, groupAnswer } from './copies/group.ts';
import { compareAnswer } from './documents/compare.ts';
import { type ComparedText, postedText, storedText } from './documents/compared-text.ts';
import type { PostedDocument } from './documents/document.ts';
import { requireInexact } from './lists/link-list.ts';
import { similarToDocument, similarToPage } from './lists/similar.ts';
import { canonicalParameter, locate } from './pages/locate.ts';
import { type SearchJob, searchAnswer } from './search/search.ts';

const readSimilar = parameterReader(SimilarBody, 'body');
const readCompare = parameterReader(CompareBody, 'body');
const readGroup = parameterReader(GroupBody, 'body');
const readResult = parameterReader(GroupResult, 'body');

/** Errors  Problem of any code that its route names. */
export function postedAnswer(generation: Generation, job: DocumentJob): string {
  switch (job.kind) {
    case 'similar':
      return similar(generation, job);
    case 'compare':
      return compare(generation, job);
    case 'group':
      return group(generation, job);
    case 'search':
      return searchAnswer(generation, job.query as SearchJob);
    case 'reads':
      return readsAnswer(generation, (job.query as { readonly reads: readonly AskedRead[] }).reads);
  }
}

function similar(generation: Generation, job: DocumentJob): string {
  const query = job.query as SimilarQuery;
  generation.require(query.by);
  requireInexact(query.by, query.exact);
  const document = readDocument(job, query);
  const hash = questionHash(`similar ${textHash(JSON.stringify(document))}`, SIMILAR, query);
  const offset = readCursor(query.cursor, generation.id, hash);
  return typeof document === 'string'
    ? similarToPage(generation, locateDocument(generation, document), query, offset, hash)
    : similarToDocument(generation, document, query, offset, hash);
}

function compare(generation: Generation, { query, body }: DocumentJob): string {
  const sides = readCompare(parseJson(body));
  const [a, b] = (['a', 'b'] as const).map((side) =>
    readInside(side, (input) => comparedText(generation, readSimilar(input)), sides[side]),
  ) as [ComparedText, ComparedText];
  return JSON.stringify(compareAnswer(generation, a, b, (query as CompareQuery).include_text));
}

function group(generation: Generation, { body }: DocumentJob): string {
  const { results, threshold } = readGroup(parseJson(body));
  const given = results.map(
    (result, i): GivenResult =>
      typeof result === 'string' ? { url: result } : readInside(`results[${i}]`, readResult, result),
  );
  return JSON.stringify(groupAnswer(generation, given, threshold));
}

/** The document, or the canonical URL of the page that stands for it. */
function readDocument({ body }: DocumentJob, query: SimilarQuery): PostedDocument | string {
  const queryUrl = query.url ?? null;
  if (body === null || body.mediaType === 'application/json') {
    return documentOf(readSimilar(parseJson(body)), queryUrl);
  }
  const decoded = decodeBody(body.bytes, body.charset);
  if (decoded === null) throw new Problem('invalid-body', 'the body is binary data; send text or HTML');
  const kind = body.mediaType === 'text/html' ? 'html' : 'text';
  return { kind, content: decoded.text, title: undefined, url: queryUrl, baseUrl: null };
}

/** The document of a JSON body; `queryUrl` is what the query said of its URL. */
function documentOf(body: SimilarDocument, queryUrl: string | null = null): PostedDocument | string {
  const url = body.url === undefined ? queryUrl : canonicalParameter('url', body.url);
  const baseUrl = body.base_url === undefined ? null : canonicalParameter('base_url', body.base_url);
  const given = (['html', 'text'] as const).filter((kind) => body[kind] !== undefined);
  if (given.length === 2)
    throw parameterProblem('text', 'give html or text, not both', '', 'one of html, text');
  const kind = given[0];
  const features = body.features === undefined ? {} : readFeatures(body.features);
  if (typeof features === 'string') {
    throw parameterProblem('features', features, body.features, 'groups of names with weights');
  }
  if (kind !== undefined) return { kind, content: body[kind]!, title: body.title, url, baseUrl, features };
  if (url !== null) return url;
  throw new Problem('invalid-body', 'the body must hold html, text or url');
}

function comparedText(generation: Generation, body: SimilarDocument): ComparedText {
  const document = documentOf(body);
  return typeof document === 'string'
    ? storedText(generation, locateDocument(generation, document))
    : postedText(generation, document);
}

/** Id of the page that stands for a document. Errors  Problem `page-not-indexed` that asks for the text. */
function locateDocument(generation: Generation, url: string): number {
  return locate(generation, url, 'this service does not fetch pages: send its html or text');
}
