/** Pages that are handed over. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { cutText } from '../../../lib/cut-text.ts';
import { Type } from '../../../lib/json-schema.ts';
import { decodeBody } from '../../../page/decode.ts';
import { canonicalUrl } from '../../../url/canonical-url.ts';
import { LINES_TYPE, type PostedBody, parseJson } from '../../http/body.ts';
import { Problem } from '../../http/problems/problem.ts';
import { ENTITY_TAG } from '../../http/question/request-key.ts';
import type { Fold } from '../../live/folds.ts';
import { type GivenRecord, MAX_LINE_BYTES, readRecord } from '../../live/given-record.ts';
import { knownPages } from '../../live/known-pages.ts';
import { RETRY_SECONDS, type WriteHow, type Written } from '../../live/live-pages.ts';
import { writeLines } from '../../live/write-lines.ts';
import {
  type FoldAnswer,
  FoldSchema,
  type PendingAnswer,
  PendingSchema,
  WRITTEN,
  type WrittenPageAnswer,
  WrittenPageSchema,
  WrittenPagesSchema,
} from '../../schemas/answers/live-answers.ts';
import { orNull } from '../../schemas/fields.ts';
import { required } from '../../schemas/parameter.ts';
import { PAGE } from '../../schemas/parameters/parameters.ts';
import {
  type Gone,
  type LiveService,
  type Question,
  route,
  type Said,
  type Service,
} from '../route/route.ts';
import { writePages } from '../route/write-pages.ts';

/** Of the time after which a silent connection ends, here and in most proxies: an answer that waits comes before it. */
const MAX_WAIT_SHARE = 0.9;

const text = (description?: string) => orNull(Type.String(description === undefined ? {} : { description }));

const own = (description: string) =>
  Type.Optional(orNull(Type.Unsafe<Record<string, unknown>>({ type: 'object', description })));

/** Its members are those that `sources/jsonl.ts` reads. */
const RECORD = Type.Object(
  {
    url: Type.Optional(Type.String({ description: 'As in the address, or left out.' })),
    html: Type.Optional(text()),
    text: Type.Optional(text()),
    title: Type.Optional(text('Goes before the title in the HTML.')),
    lang: Type.Optional(text('Of a page that does not say it itself.')),
    fetched_at: Type.Optional(
      Type.Union([Type.String(), Type.Number(), Type.Null()], {
        description: 'An ISO date or time, one as HTTP writes it, or seconds or milliseconds since 1970.',
      }),
    ),
    links: Type.Optional(
      orNull(Type.Array(Type.String(), { description: 'URLs beside those in the HTML.' })),
    ),
    image: Type.Optional(text()),
    description: Type.Optional(text()),
    published_at: Type.Optional(text()),
    modified_at: Type.Optional(text()),
    features: own('Features of your own: {"tags": {"roses": 1}}.'),
    vectors: own('Vectors of your own: {"minilm": [0.1, -0.2]}, or base64 of float32, little-endian.'),
    fields: own('Fields of your own: {"category": "tea", "price": 12.5}.'),
    status: Type.Optional(
      orNull(Type.Integer({ description: '200; DELETE says of a page that it is gone.' })),
    ),
    location: Type.Optional(text('Of a redirect, which is no page.')),
    canonical: Type.Optional(
      text('The URL that speaks for the page, as a Link header says it; seen at the fold.'),
    ),
    robots: Type.Optional(text('What X-Robots-Tag says: nofollow, noindex.')),
    file_url: Type.Optional(
      text('Another URL of the page, which leads to it: /a/index.html of /a/; seen at the fold.'),
    ),
    media_type: Type.Optional(text('How html is read: text/html, or application/xhtml+xml.')),
  },
  {
    additionalProperties: false,
    description: 'A record as `akin index` reads it: html or text, or features or vectors alone.',
    examples: [{ title: 'Guide', text: 'When to prune a rose, and how far back.' }],
  },
);

const ACCESS = { tag: 'pages', scope: 'write' } as const;

export const PAGE_ROUTES = {
  putPage: route({
    ...ACCESS,
    method: 'PUT',
    path: '/pages',
    ofOneSite: 'page',
    summary: 'Hands over a page, new or changed',
    query: PAGE,
    body: {
      'text/html': Type.String({ description: 'The page.' }),
      'text/plain': Type.String({ description: 'Its text; a page without a title.' }),
      'application/json': RECORD,
    },
    bodyLimit: MAX_LINE_BYTES,
    answers: WrittenPageSchema,
    says: 'It is on the disk, and in all answers from now on.',
    saysAlso: { 201: 'The same, of a page that was not there.' },
    problems: [404, 412, 413, 415, 507],
    act: putPage,
  }),
  deletePage: route({
    ...ACCESS,
    method: 'DELETE',
    path: '/pages',
    ofOneSite: 'page',
    summary: 'Says that a page is gone',
    query: PAGE,
    answers: WrittenPageSchema,
    says: 'That is on the disk, and the page in no list from now on.',
    problems: [404, 412, 507],
    act: deletePage,
  }),
  putPages: route({
    ...ACCESS,
    method: 'POST',
    path: '/pages',
    summary: 'Hands over many pages, a record of JSON a line',
    query: {},
    body: {
      [LINES_TYPE]: Type.String({
        description:
          'As `akin index` reads them; {"url", "status": 410} is a page that is gone. Lines are at most 8 MiB, or twice the largest page of the index.',
      }),
    },
    answers: WrittenPagesSchema,
    says: 'What became of them; those that were kept are on the disk.',
    saysAlso: { 207: 'The same, where some lines were not kept, or not read.' },
    problems: [404, 413, 415, 507],
    answer: (reads, { body }, local) => knownPages(reads, local, new TextDecoder().decode(body!.bytes)),
    isLong: () => true,
    act: postPages,
  }),
  pendingPages: route({
    ...ACCESS,
    method: 'GET',
    path: '/pages/pending',
    summary: 'How many pages wait for the index',
    query: {},
    answers: PendingSchema,
    says: 'Their number, their size, since when.',
    problems: [404],
    act: async (service) => {
      const { pages, folds } = liveOf(service);
      const { count, bytes, oldestMs } = pages.journal.figures();
      const oldest = oldestMs === null ? null : new Date(oldestMs).toISOString();
      const value: PendingAnswer = {
        count,
        bytes,
        oldest,
        damaged: pages.journal.damagedCount,
        folding: folds.running?.id ?? null,
        sequence: pages.journal.lastSequence,
      };
      return { value, lost: [], headers: sequenceOf(pages.journal.lastSequence) };
    },
  }),
  foldPages: route({
    ...ACCESS,
    method: 'POST',
    path: '/pages/fold',
    summary: 'Has the pages that wait folded into the index',
    query: {},
    answers: FoldSchema,
    says: 'It has ended. Only with Prefer: wait=SECONDS, of which at most 54 are waited.',
    saysAlso: { 202: 'It is under way; Location says where it can be asked for.' },
    problems: [404],
    act: async (service, _question, _gone, headers, base) => {
      const { folds } = liveOf(service);
      const fold = folds.begin();
      const seconds = Number(
        /(?:^|[,;\s])wait=(\d+)(?:$|[,;\s])/.exec(String(headers['prefer'] ?? ''))?.[1] ?? 0,
      );
      if (seconds > 0) await folds.wait(fold, Math.min(1000 * seconds, MAX_WAIT_SHARE * service.silenceMs));
      const status = fold.state === 'running' ? 202 : 200;
      return { value: foldAnswer(fold), lost: [], status, headers: { location: `${base}/folds/${fold.id}` } };
    },
  }),
  fold: route({
    ...ACCESS,
    method: 'GET',
    path: '/folds/:id',
    summary: 'How a fold goes',
    query: {},
    inPath: {
      id: required(Type.String({ maxLength: 100, description: 'As POST /pages/fold named it.' })),
    },
    answers: FoldSchema,
    says: 'Of the last twenty.',
    problems: [404],
    act: async (service, { query }) => {
      const fold = liveOf(service).folds.find((query as { readonly id: string }).id);
      if (fold === undefined) throw new Problem('fold-not-found', 'the last twenty folds have no such id');
      return { value: foldAnswer(fold), lost: [] };
    },
  }),
};

/** Errors  Problem `pages-off`. */
function liveOf({ live }: Service): LiveService {
  if (live?.isOpen) return live;
  throw new Problem('pages-off', 'this service takes no pages; akin serve FILE --writable does');
}

async function putPage(
  service: Service,
  { query, body, site = null }: Question<{ readonly url: string }>,
  gone: Gone,
  headers: IncomingHttpHeaders,
): Promise<Said> {
  liveOf(service);
  const record = readRecord(recordOf(body, query.url), Date.now(), service.holder.current().facts);
  if ('code' in record) throw new Problem(record.code, record.detail);
  if (record.isGone) throw new Problem('invalid-body', 'a page that is gone has no body; DELETE says so');
  return writtenPage(service, record, { ...conditionsOf(headers), site }, gone);
}

async function deletePage(
  service: Service,
  { query: { url }, site = null }: Question<{ readonly url: string }>,
  gone: Gone,
  headers: IncomingHttpHeaders,
): Promise<Said> {
  liveOf(service);
  const record = readRecord({ url, status: 410 }, Date.now(), service.holder.current().facts) as GivenRecord;
  return writtenPage(service, record, { ...conditionsOf(headers), site }, gone);
}

async function writtenPage(service: Service, record: GivenRecord, how: WriteHow, gone: Gone): Promise<Said> {
  const [{ state, tag, fault }] = (await writePages(service, [record], gone, how)) as [Written];
  if (state === 'refused') throw new Problem('invalid-body', fault!);
  if (state === 'missing') throw new Problem('page-not-indexed', `${cutText(record.url, 300)} is not there`);
  const sequence = liveOf(service).pages.journal.lastSequence;
  const value: WrittenPageAnswer = { url: record.url, state, sequence };
  const headers = { ...sequenceOf(sequence), ...(tag !== null && { etag: tag }) };
  return { value, lost: [], status: state === 'added' ? 201 : 200, headers };
}

async function postPages(
  service: Service,
  { body }: Question<object>,
  gone: Gone,
  headers: IncomingHttpHeaders,
): Promise<Said> {
  const { pages } = liveOf(service);
  refuseConditions(headers);
  const left = gone();
  if (body?.stream === undefined) throw new Problem('unsupported-media-type', `send lines as ${LINES_TYPE}`);
  const written = await writeLines(
    body.stream as Readable,
    (records) => writePages(service, records, () => left),
    Date.now,
    () => service.holder.current().facts,
    pages.batch,
  );
  const { failed, errors, stopped } = written;
  const takenCount = WRITTEN.reduce((sum, count) => sum + written[count], 0);
  if (failed > 0 && takenCount === 0 && stopped === null) {
    throw new Problem('invalid-body', 'none of the lines could be kept', {
      errors: errors.map(({ line, url, detail }) => {
        return { parameter: `line ${line}`, detail, received: url, allowed: 'a record of a page' };
      }),
    });
  }
  const sequence = pages.journal.lastSequence;
  return {
    value: { ...written, sequence },
    lost: [],
    status: failed > 0 || stopped !== null ? 207 : 200,
    headers: { ...sequenceOf(sequence), ...(stopped !== null && { 'retry-after': String(RETRY_SECONDS) }) },
  };
}

/** The record of a body. Errors  Problem `invalid-body`, `malformed-json`. */
function recordOf(body: PostedBody | null, url: string): object {
  if (body === null) throw new Problem('invalid-body', 'the page is missing: send it as the body');
  if (body.mediaType !== 'application/json') {
    const decoded = decodeBody(body.bytes, body.charset);
    if (decoded === null) throw new Problem('invalid-body', 'the body is binary data; send text or HTML');
    return { url, [body.mediaType === 'text/html' ? 'html' : 'text']: decoded.text };
  }
  const record = parseJson(body) as { readonly url?: unknown } | null;
  if (typeof record !== 'object' || record === null || Array.isArray(record)) {
    throw new Problem('invalid-body', 'the body must be a JSON object');
  }
  if (record.url !== undefined && (typeof record.url !== 'string' || canonicalUrl(record.url) !== url)) {
    throw new Problem('invalid-body', 'url in the body is another page than url in the address');
  }
  return { ...record, url };
}

/** Errors  Problem `malformed-request` for a condition that is none, or that akin cannot ask: it would be written all the same. */
function conditionsOf(headers: IncomingHttpHeaders): WriteHow {
  const match = tagsOf('If-Match', headers['if-match']);
  const noneMatch = tagsOf('If-None-Match', headers['if-none-match']);
  // Without a meaning beside If-Match.
  if (match === null && headers['if-unmodified-since'] !== undefined)
    throw new Problem(
      'malformed-request',
      'If-Unmodified-Since is not for pages: send If-Match with their ETag',
    );
  return { match, noneMatch };
}

function tagsOf(name: string, value: string | undefined): readonly string[] | '*' | null {
  if (value === undefined) return null;
  const list = value.trim();
  if (list === '*') return list;
  const tags = list.match(ENTITY_TAG);
  if (tags !== null && /^[ \t,]*$/.test(list.replace(ENTITY_TAG, ''))) return tags;
  throw new Problem('malformed-request', `${name} takes *, or entity tags in double quotes: "3f2a", "90bc"`);
}

const CONDITIONS = ['if-match', 'if-none-match', 'if-unmodified-since'];

/** Errors  Problem `malformed-request`. */
function refuseConditions(headers: IncomingHttpHeaders): void {
  const name = CONDITIONS.find((one) => headers[one] !== undefined);
  if (name === undefined) return;
  throw new Problem('malformed-request', `${name} is a condition of one page: send it with PUT or DELETE`);
}

function sequenceOf(sequence: number) {
  return { 'akin-sequence': String(sequence) };
}

function foldAnswer({ id, state, sequence, startedMs, endedMs, detail }: Fold): FoldAnswer {
  const at = (ms: number) => new Date(ms).toISOString();
  const times = { started_at: at(startedMs), ended_at: endedMs === null ? null : at(endedMs) };
  return { id, state, sequence, ...times, detail };
}
