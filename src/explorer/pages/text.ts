/** The neighbors of a text of one's own: pasted, or out of a file. */

import { type Html, html } from '../../service/http/markup.ts';
import type { EmptyReason, SimilarAnswer } from '../../service/schemas/answers/list-answers.ts';
import type { Context } from '../context.ts';
import { frame } from '../frame.ts';
import { count } from '../parts/figures.ts';
import { cut } from '../parts/page-link.ts';
import { relatedList, termChips } from '../parts/related-list.ts';
import { topicLink } from '../parts/topic-link.ts';
import type { Asked, Made } from '../reply.ts';

/** A text so long as it is written in an address still goes into one, so that the answer can be sent to a colleague. Proxies take 8 kB. */
const ADDRESS_BYTES = 3000;
const LIST_LENGTH = 20;
const TERMS_SHOWN = 15;

interface Document {
  readonly kind: 'text' | 'html';
  readonly content: string;
  /** Of the file. */
  readonly name: string | null;
}

/** GET: the form, or the neighbors of `text`. */
export async function textPage(context: Context, asked: Asked): Promise<Made> {
  const text = asked.text('text');
  return text === '' ? form(context, null) : answer(context, { kind: 'text', content: text, name: null });
}

/** POST: what the form was sent with. */
export async function postedTextPage(context: Context, asked: Asked): Promise<Made> {
  const document = await documentOf(asked.body!);
  if (document === null) return form(context, 'Paste a text, or choose a file.');
  if (document.kind === 'text' && document.name === null && fitsAddress(document.content))
    return { location: context.href('/explore/text', { text: document.content }) };
  return answer(context, document);
}

async function documentOf(body: FormData): Promise<Document | null> {
  const file = body.get('file');
  if (file instanceof File && file.size > 0) {
    const content = await file.text();
    const isHtml = /html/.test(file.type) || /\.x?html?$/i.test(file.name);
    return { kind: isHtml ? 'html' : 'text', content, name: file.name };
  }
  const text = body.get('text');
  if (typeof text !== 'string' || text.trim() === '') return null;
  const isHtml = /^\s*<(!doctype|html|head|body)\b/i.test(text);
  return { kind: isHtml ? 'html' : 'text', content: text.trim(), name: null };
}

function fitsAddress(text: string): boolean {
  return new URLSearchParams({ text }).toString().length <= ADDRESS_BYTES;
}

function form(context: Context, fault: string | null): Html {
  return frame(context, {
    title: 'Paste a text',
    body: html`<h1>A text of your own</h1>
<p class="facts">Which pages of this index are nearest to it, and which topic would it fall in? Nothing of it is kept.</p>
${fault !== null && html`<p class="note" role="alert">${fault}</p>`}
${textForm(context, '')}`,
  });
}

function textForm({ href }: Context, text: string): Html {
  return html`<form class="text" action="${href('/explore/text')}" method="post" enctype="multipart/form-data">
<label for="text">Text or HTML</label>
<textarea id="text" name="text" dir="auto">${text}</textarea>
<label for="file">or a file</label>
<input id="file" name="file" type="file" accept=".html,.htm,.xhtml,.txt,.md,text/*">
<button>Find pages near to it</button>
</form>`;
}

async function answer(context: Context, document: Document): Promise<Html> {
  const { kind, content, name } = document;
  const found = await nearest(context, document);
  const { terms, cluster, related } = found;
  const words = content.split(/\s+/).length;
  const what = name ?? cut(content.replaceAll(/\s+/g, ' '), 80);
  return frame(context, {
    title: `Near to ${cut(what, 60)}`,
    at: '/explore/text',
    body: html`<h1>Near to this text</h1>
<p class="facts">Understood as ${kind === 'html' ? 'HTML' : 'a text'} of ${count(words, 'word')}${name !== null && html`, from the file <bdi>${cut(name, 100)}</bdi>`}.</p>
<blockquote dir="auto">${cut(content.replaceAll(/\s+/g, ' '), 400)}</blockquote>
${
  terms.length > 0 &&
  html`<p class="terms"><span class="label">About</span> ${termChips(
    terms.map(({ term, weight }) => ({ term, share: weight })),
    TERMS_SHOWN,
  )}</p>`
}
${cluster !== null && html`<p class="facts">It would fall into ${topicLink(context, cluster, 4)}, a group of ${count(cluster.size, 'page')}.</p>`}
<section aria-labelledby="related"><h2 id="related">Nearest pages</h2>
${related.length > 0 ? relatedList(context, related, null) : emptyText(found)}
</section>
<section aria-labelledby="again"><h2 id="again">Another text</h2>${textForm(context, kind === 'text' && name === null && fitsAddress(content) ? content : '')}</section>`,
  });
}

function emptyText({ empty_reason }: SimilarAnswer): Html {
  const reasons: Partial<Record<EmptyReason, string>> = {
    too_little_text: 'It has fewer than three different words.',
    no_known_words: 'This index has none of its words, or each on too many pages to tell them apart.',
  };
  const reason = (empty_reason && reasons[empty_reason]) ?? 'No page of this index is similar enough.';
  return html`<div class="empty"><p>Nothing is near to it. ${reason}</p></div>`;
}

export function nearest(
  { ask }: Context,
  { kind, content }: Pick<Document, 'kind' | 'content'>,
): Promise<SimilarAnswer> {
  return ask.answer(
    'similar',
    { limit: LIST_LENGTH, explain: true, fetched: 'only', cards: true },
    { [kind]: content },
  );
}
