/** The pages a person looks at: registered on the app of the service, which they ask what any caller may ask. */
import { MIMEType } from 'node:util';
import type { FastifyRequest } from 'fastify';
import type { PostedBody } from '../service/http/body.ts';
import { Problem } from '../service/http/problems/problem.ts';
import { pathOf } from '../service/http/route-table.ts';
import { type App, Refusal } from './ask.ts';
import { addAssets } from './assets.ts';
import { type Context, contextOf } from './context.ts';
import { frame, PAGE_POLICY } from './frame.ts';
import { compareJson, comparePage } from './pages/compare.ts';
import { demoPage } from './pages/demo.ts';
import { goPage } from './pages/go.ts';
import { homePage } from './pages/home.ts';
import { listCsv } from './pages/list-csv.ts';
import { mapJson, mapPage } from './pages/map.ts';
import { pagePage } from './pages/page.ts';
import { pathPage, problemHtml, problemPage } from './pages/problem.ts';
import { randomPage } from './pages/random.ts';
import { searchPage } from './pages/search.ts';
import { changesPage } from './pages/sites/changes.ts';
import { copiesPage } from './pages/sites/copies.ts';
import { movedPage } from './pages/sites/moved.ts';
import { sitesPage } from './pages/sites/sites.ts';
import { postedTextPage, textPage } from './pages/text.ts';
import { topicPage, topicsPage } from './pages/topics.ts';
import { Asked, type Made, type PageMaker, reply } from './reply.ts';

/** Forms are sent so. In the other form, many short fields of one body would take Node minutes to read. */
const FORM_TYPES = ['multipart/form-data'];
/** The limit of POST /similar, and room for the form around a text. */
const FORM_BYTES = 4.5 * 2 ** 20;
/** Our form has two, and the end. */
const MAX_PARTS = 16;
const MAX_HEAD_BYTES = 4096;

/** Path, and what makes its page. */
const PAGES: readonly [path: string, make: PageMaker][] = [
  ['/', homePage],
  ['/explore', homeOf],
  ['/explore/', homeOf],
  ['/explore/page', pagePage],
  ['/explore/topics', topicsPage],
  ['/explore/topics/:id', topicPage],
  ['/explore/random', randomPage],
  ['/explore/go', goPage],
  ['/explore/search', searchPage],
  ['/explore/text', textPage],
  ['/explore/compare', comparePage],
  ['/explore/compare.json', compareJson],
  ['/explore/map', mapPage],
  ['/explore/map.json', mapJson],
  ['/explore/moved', movedPage],
  ['/explore/changes', changesPage],
  ['/explore/list.csv', listCsv],
  ['/explore/sites', sitesPage],
  ['/explore/copies', copiesPage],
  ['/explore/*', pathPage],
  ['/demo', demoPage],
];

/** Where the path of a page is cut off. */
function homeOf(context: Context): Made {
  return { location: context.href('/') };
}

/** Adds the explorer to an app; for its option `extend`. */
export function addExplorer(app: App): void {
  const assets = addAssets(app);
  app.serviceState.problemPage = (problem, _request, reply) => {
    reply.header('content-security-policy', PAGE_POLICY);
    return problemHtml(contextOf(app, assets, reply), new Asked({}, {}), problem).text;
  };
  app.serviceState.documentationPage = (title, body, reply) => {
    reply.header('content-security-policy', PAGE_POLICY);
    return frame(contextOf(app, assets, reply), { title, body }).text;
  };
  for (const [path, make] of PAGES) {
    app.get(path, { schema: { hide: true } }, async (request, response) => {
      const context = contextOf(app, assets, response);
      const asked = new Asked(request.query as object, request.params as object);
      const beginning = context.href(pathOf(request), { ...(request.query as object), cursor: '' });
      return reply(request, response, context, await made(context, asked, make, beginning));
    });
  }
  const form = { bodyLimit: FORM_BYTES, config: { accepts: FORM_TYPES }, schema: { hide: true } };
  app.post('/explore/text', form, async (request, response) => {
    const context = contextOf(app, assets, response);
    const asked = new Asked(request.query as object, {}, await formOf(request));
    return reply(request, response, context, await made(context, asked, postedTextPage));
  });
}

/** Errors  Problem `malformed-request`. */
async function formOf({ headers, body }: FastifyRequest): Promise<FormData> {
  const { bytes } = body as PostedBody;
  const type = headers['content-type']!;
  try {
    requireFewParts(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), type);
    return await new Response(bytes, { headers: { 'content-type': type } }).formData();
  } catch (cause) {
    throw new Problem('malformed-request', 'the form cannot be read', { cause });
  }
}

/** Errors  Error for a form of many parts, or with long heads of these: it would hold the event loop for seconds. */
function requireFewParts(bytes: Buffer, type: string): void {
  const boundary = `--${new MIMEType(type).params.get('boundary')}`;
  for (let at = bytes.indexOf(boundary), parts = 1; at >= 0; parts++) {
    const end = bytes.indexOf('\r\n\r\n', at);
    const headBytes = (end < 0 ? bytes.length : end) - at;
    if (parts > MAX_PARTS || headBytes > MAX_HEAD_BYTES) throw new Error('more than a form of ours has');
    at = bytes.indexOf(boundary, at + boundary.length);
  }
}

/** `beginning` is where a list begins of which a later part is asked for. */
async function made(context: Context, asked: Asked, make: PageMaker, beginning = ''): Promise<Made> {
  try {
    return await make(context, asked);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // The list is another one now: a link to a part of it, followed or kept, leads to its first.
    if (error.problem.code === 'generation-changed' && asked.text('cursor') !== '')
      return { location: beginning };
    if (make === compareJson || make === mapJson) throw error.asProblem();
    return { ...problemPage(context, asked, error.problem), retryAfter: error.retryAfter };
  }
}
