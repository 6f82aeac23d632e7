/** The bodies of POST /similar, /cover, /compare and /group, from the bytes that were posted. */
import { readFeatures } from '../../features/own-features.ts';
import { type OwnVectors, readVectors } from '../../features/vectors.ts';
import { decodeBody } from '../../page/decode.ts';
import { readFields } from '../../page/fields/page-fields.ts';
import { primarySubtag } from '../../text/primary-subtag.ts';
import { type PostedBody, parseJson } from '../http/body.ts';
import { Problem, parameterProblem, vectorsProblem } from '../http/problems/problem.ts';
import { faultInside, parameterReader, readInside } from '../http/question/parameter-reader.ts';
import { questionHash, viewNames } from '../http/question/question.ts';
import { readCursor, textHash } from '../http/question/request-key.ts';
import type { Reads } from '../reads/reads.ts';
import type { CompareAnswer, CoverAnswer, GroupAnswer } from '../schemas/answers/copy-answers.ts';
import type { SimilarAnswer } from '../schemas/answers/list-answers.ts';
import {
  CompareBody,
  CompareSide,
  DocumentBody,
  ExampleDocument,
  type GivenDocument,
  type GivenExample,
  GroupBody,
  GroupResult,
  SimilarBody,
} from '../schemas/parameters/bodies.ts';
import { SIMILAR, type SimilarQuery } from '../schemas/parameters/list-parameters.ts';
import { COMPARE, COVER, type CompareQuery, type CoverQuery } from '../schemas/parameters/parameters.ts';
import { copySource } from './copies/copy-source.ts';
import { type GivenResult, groupAnswer } from './copies/group.ts';
import type { Reader } from './copies/keep.ts';
import { documentWording, pageWording } from './copies/wording.ts';
import { compareAnswer } from './documents/compare.ts';
import { type ComparedText, postedText, storedText } from './documents/compared-text.ts';
import { coverAnswer } from './documents/cover.ts';
import { extractDocument, type PostedDocument } from './documents/document.ts';
import { type Example, type Examples, similarToExamples } from './lists/examples.ts';
import { requireInexact } from './lists/link-list.ts';
import { requireWords } from './lists/selection/page-filter.ts';
import { similarToDocument, similarToPage } from './lists/similar.ts';
import { canonicalParameter, locateWithin } from './pages/locate.ts';

const readSimilar = parameterReader(SimilarBody, 'body', SIMILAR);
const readGivenDocument = parameterReader(DocumentBody, 'body', COVER);
const readExample = parameterReader(ExampleDocument, 'body');
const readCompare = parameterReader(CompareBody, 'body', COMPARE);
const readSide = parameterReader(CompareSide, 'body');
const readGroup = parameterReader(GroupBody, 'body');
const readResult = parameterReader(GroupResult, 'body');

/** A question with a body. */
interface Posted<Query> {
  readonly query: Query;
  readonly body: PostedBody | null;
}

/** Errors  Problem of any code that the route names; so do those below. */
export async function postedSimilar(
  reads: Reads,
  { query, body }: Posted<SimilarQuery>,
): Promise<SimilarAnswer> {
  reads.facts.require(query.by);
  requireInexact(query.by, query.exact);
  const { like, unlike, ...given } = isJson(body) ? readSimilar(parseJson(body)) : {};
  const document =
    like === undefined && unlike === undefined
      ? readDocument(body, query, () => given)
      : readExamples(like, unlike, given, query);
  const hash = questionHash(`similar ${textHash(JSON.stringify(document))}`, SIMILAR, query);
  const offset = readCursor(query.cursor, reads.facts.state, hash, viewNames(SIMILAR));
  const ask = { reads, narrowing: query, offset };
  if (typeof document === 'object' && 'like' in document) {
    const examples = await locateExamples(reads, document, query.within);
    return similarToExamples(ask, examples, hash);
  }
  return typeof document === 'string'
    ? similarToPage(ask, await locateDocument(reads, document, query.within), hash)
    : similarToDocument(ask, document, hash);
}

export async function postedCover(reads: Reads, { query, body }: Posted<CoverQuery>): Promise<CoverAnswer> {
  const source = copySource(reads);
  const document = readDocument(body, query);
  if (typeof document === 'string') {
    const pageId = await locateDocument(reads, document);
    return coverAnswer(reads, await pageWording(source, pageId), pageId, query);
  }
  const page = extractDocument(document, reads.facts);
  const pageId = document.url === null ? -1 : await reads.idOf(document.url);
  return coverAnswer(reads, documentWording(source, page, document.url), pageId, query);
}

export async function postedComparison(
  reads: Reads,
  { query, body }: Posted<CompareQuery>,
): Promise<CompareAnswer> {
  const sides = readCompare(parseJson(body));
  const texts = await Promise.allSettled([comparedText(reads, sides.a), comparedText(reads, sides.b)]);
  const [a, b] = texts.map((text, i) => {
    if (text.status === 'fulfilled') return text.value;
    throw faultInside('ab'[i]!, text.reason);
  }) as [ComparedText, ComparedText];
  return compareAnswer(reads, a, b, query.include_text);
}

export async function postedGroups(
  reads: Reads,
  { body }: Pick<Posted<unknown>, 'body'>,
): Promise<GroupAnswer> {
  const { results, threshold, near, near_lang: lang } = readGroup(parseJson(body));
  const given = results.map(
    (result, i): GivenResult =>
      typeof result === 'string' ? { url: result } : readInside(`results[${i}]`, readResult, result),
  );
  return groupAnswer(reads, given, threshold, readerOf(near, lang));
}

/** The reader for which groups name their best; null where nothing is asked of it. Errors  Problem `invalid-parameters`. */
function readerOf(near: string | undefined, lang: string | undefined): Reader | null {
  if (near === undefined && lang === undefined) return null;
  return {
    near: near === undefined ? null : canonicalParameter('near', near),
    lang: primarySubtag(lang),
  };
}

/** The document, or the canonical URL of the page that stands for it. */
function readDocument(
  body: PostedBody | null,
  query: Pick<SimilarQuery, 'url'>,
  given: () => GivenDocument = () => readGivenDocument(parseJson(body)),
): PostedDocument | string {
  const queryUrl = query.url ?? null;
  if (isJson(body)) return documentOf(given(), queryUrl);
  const decoded = decodeBody(body.bytes, body.charset);
  if (decoded === null) throw new Problem('invalid-body', 'the body is binary data; send text or HTML');
  const kind = body.mediaType === 'text/html' ? 'html' : 'text';
  return { kind, content: decoded.text, title: undefined, url: queryUrl, baseUrl: null };
}

function isJson(body: PostedBody | null): body is null | (PostedBody & { mediaType: 'application/json' }) {
  return body === null || body.mediaType === 'application/json';
}

/** Examples, each as `readDocument` says. */
interface ReadExamples {
  readonly like: readonly (PostedDocument | string)[];
  readonly unlike: readonly (PostedDocument | string)[];
}

/** Errors  Problem `invalid-body`, `invalid-parameters` that names the example. */
function readExamples(
  like: readonly GivenExample[] | undefined,
  unlike: readonly GivenExample[] = [],
  others: object,
  { by, url }: Pick<SimilarQuery, 'by' | 'url'>,
): ReadExamples {
  if (like === undefined) {
    throw parameterProblem('unlike', 'stands beside like', unlike, 'left out, or with like');
  }
  const [other] = Object.entries({ ...others, ...(url !== undefined && { url }) });
  if (other !== undefined) throw parameterProblem(other[0], 'has no place beside like', other[1], 'left out');
  requireWords(by, 'like', like);
  const documentsOf = (name: string, examples: readonly GivenExample[]) =>
    examples.map((example, i) => {
      const path = `${name}[${i}]`;
      return readInside(path, (given) => documentOf(readExample(given), null, 'html, text or url'), example);
    });
  return { like: documentsOf('like', like), unlike: documentsOf('unlike', unlike) };
}

async function locateExamples(
  reads: Reads,
  { like, unlike }: ReadExamples,
  within: string | undefined,
): Promise<Examples> {
  const located = (name: string, documents: ReadExamples['like']) =>
    Promise.all(
      documents.map(async (document, i): Promise<Example> => {
        if (typeof document !== 'string') return document;
        return locateDocument(reads, document, within).catch((error: unknown) => {
          throw faultInside(`${name}[${i}]`, error);
        });
      }),
    );
  return { like: await located('like', like), unlike: await located('unlike', unlike) };
}

/** The document of a JSON body; `queryUrl` is what the query said of its URL, `kinds` what it may be given by. */
function documentOf(
  body: GivenDocument,
  queryUrl: string | null = null,
  kinds = 'html, text, url, features or vectors',
): PostedDocument | string {
  const url = body.url === undefined ? queryUrl : canonicalParameter('url', body.url);
  const baseUrl = body.base_url === undefined ? null : canonicalParameter('base_url', body.base_url);
  const given = (['html', 'text'] as const).filter((kind) => body[kind] !== undefined);
  if (given.length === 2)
    throw parameterProblem('text', 'give html or text, not both', body.text, 'one of html, text');
  const features = body.features === undefined ? {} : readFeatures(body.features);
  if (typeof features === 'string') {
    throw parameterProblem('features', features, body.features, 'groups of names with weights');
  }
  const fields = body.fields === undefined ? undefined : readFields(body.fields);
  if (typeof fields === 'string') {
    throw parameterProblem('fields', fields, body.fields, 'names with texts, numbers, true or false');
  }
  const vectors = vectorsOf(body.vectors);
  // What is described by its owner alone has no text.
  const isDescribed = vectors !== undefined || Object.keys(features).length > 0;
  const kind = given[0] ?? (isDescribed ? 'text' : undefined);
  if (kind !== undefined)
    return {
      ...{ kind, content: body[kind] ?? '', title: body.title, url, baseUrl, features, fields, vectors },
      lang: primarySubtag(body.lang) ?? undefined,
    };
  if (url !== null) return url;
  throw new Problem('invalid-body', `the body must hold ${kinds}`);
}

/** Errors  Problem `invalid-parameters` for one that cannot be used. */
function vectorsOf(given: GivenDocument['vectors']): OwnVectors | undefined {
  if (given === undefined) return undefined;
  const { vectors, fault } = readVectors(given);
  if (fault === null) return vectors;
  throw vectorsProblem(fault, given, 'names with arrays of numbers, or base64 of float32');
}

async function comparedText(reads: Reads, side: object): Promise<ComparedText> {
  const { capture, ...given } = readSide(side);
  const document = documentOf(given);
  if (typeof document === 'string') return storedText(reads, await locateDocument(reads, document), capture);
  if (capture === undefined) return postedText(reads, document);
  throw parameterProblem(
    'capture',
    'is of pages of the index, not of a text that is sent',
    capture,
    'left out',
  );
}

/** Id of the page that stands for a document. Errors  Problem `page-not-indexed` that asks for the text. */
async function locateDocument(reads: Reads, url: string, within?: string): Promise<number> {
  return locateWithin(reads, url, within, 'this service does not fetch pages: send its html or text');
}
