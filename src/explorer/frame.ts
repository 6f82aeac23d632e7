/** What every page has around its content: head, box, footer. */

import { type Content, type Html, html } from '../service/http/markup.ts';
import type { AssetName } from './assets.ts';
import type { Context } from './context.ts';

interface Frame {
  /** Of the document; ` - akin` is added. */
  readonly title: string;
  readonly description?: string;
  /** What the box holds: the URL or the words that the page is about. */
  readonly asked?: string;
  /** The entry of the menu that this is. */
  readonly at?: (typeof MENU)[number][0];
  /** The address of the same as JSON. */
  readonly json?: string;
  /** The address of its list as a table. */
  readonly csv?: string;
  readonly scripts?: readonly AssetName[];
  /** A second column is wanted. */
  readonly wide?: boolean;
  readonly body: Content;
}

const MENU = [
  ['/explore/topics', 'Topics'],
  ['/explore/sites', 'Sites'],
  ['/explore/copies', 'Copies'],
  ['/explore/changes', 'Changes'],
  ['/explore/moved', 'Lost pages'],
  ['/explore/text', 'Your text'],
] as const;

/** The policy of the explorer's pages: their own files, and nothing written into the page. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What would turn round the words behind a title. */
const DIRECTION_MARKS = /[\u202a-\u202e\u2066-\u2069]/g;

/** A whole document. */
export function frame({ href, assets, ask }: Context, page: Frame): Html {
  const description = page.description ?? 'Related pages, copies and topics of this index, and why.';
  const scripts = ['box.js' as const, ...(page.scripts ?? [])];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title.replaceAll(DIRECTION_MARKS, '')} - akin</title>
<meta name="description" content="${description}">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${href(assets['explorer.css'])}">
${scripts.map((name) => html`<script type="module" src="${href(assets[name])}"></script>\n`)}</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="name" href="${href('/')}">akin</a>
${box(href('/explore/go'), page.asked ?? '', href('/explore/text'))}
<nav class="menu" aria-label="Explorer">${MENU.map(
    ([
      path,
      name,
    ]) => html`<a href="${href(path)}"${path === page.at && html` aria-current="page"`}>${name}</a>
`,
  )}</nav>
</header>
<main id="content"${page.wide === true ? html` class="wide"` : ''}>
${ask.lostShards.size > 0 && lostNote([...ask.lostShards])}${page.body}
</main>
<footer class="bottom">
<nav aria-label="More">
<a href="${href('/explore/random')}">A random page</a>
<a href="${href('/demo')}">On your site</a>
<a href="${href('/docs')}">HTTP API</a>
${page.json === undefined ? '' : html`<a href="${page.json}">This page as JSON</a>`}
${
  page.csv !== undefined &&
  html`<a href="${page.csv}" download>Its list as CSV</a>
`
}</nav>
</footer>
</body>
</html>
`;
}

/** An index in shards of which some cannot be asked. */
function lostNote(shards: number[]): Html {
  const numbers = shards.sort((a, b) => a - b).join(', ');
  return html`<p class="note" role="status">A part of the index cannot be asked now (shard ${numbers}): this page lacks what is there.</p>
`;
}

/** The one box: a URL goes to its page, words are searched for. */
function box(action: string, asked: string, textAction: string): Html {
  return html`<form class="box" role="search" action="${action}" method="get" data-text="${textAction}">
<label class="hidden" for="q">A URL, or words</label>
<input id="q" name="q" type="text" value="${asked}" placeholder="URL or words" autocomplete="off" autocapitalize="none" spellcheck="false" dir="auto" required maxlength="4096" aria-describedby="understood">
<button>Go</button>
<output id="understood" for="q"></output>
</form>`;
}
