/** Two pages side by side, what they share marked in both. */

import { type Html, html } from '../../service/http/markup.ts';
import type { Values } from '../../service/routes/request.ts';
import type { CompareAnswer, ComparedTextAnswer } from '../../service/schemas/answers/copy-answers.ts';
import type { Context } from '../context.ts';
import { frame } from '../frame.ts';
import { count, percent } from '../parts/figures.ts';
import { cut, outsideLink, pageLink } from '../parts/page-link.ts';
import { passageMap, passageText, type Side } from '../parts/passages.ts';
import { termChips } from '../parts/related-list.ts';
import { sharedWords } from '../parts/shared-words.ts';
import type { Asked, Json, Made } from '../reply.ts';

/** Of each text; what lies behind is counted, not shown. */
const SHOWN_CHARS = 60_000;
const TERMS_SHOWN = 10;
const NAME_CHARS = 60;

export async function comparePage(context: Context, asked: Asked): Promise<Made> {
  const sides = sidesOf(asked);
  if (sides.a.url === '' || sides.b.url === '') return form(context, sides.a.url, sides.b.url);
  const compared = await compare(context, sides);
  const query = queryOf(sides);
  const title = headline(compared, namesOf(compared, sides));
  return frame(context, {
    title,
    asked: sides.a.url,
    json: context.href('/explore/compare.json', query),
    scripts: ['compare.js'],
    wide: true,
    body: html`<h1>${title}</h1>
<p class="facts">${factsOf(compared)}</p>
<p class="actions"><a href="${context.href('/explore/compare', queryOf({ a: sides.b, b: sides.a }))}">swap</a> <a href="${context.href('/explore/compare.json', query)}">as JSON</a></p>
${isBySubject(compared) && html`<p class="terms"><span class="label">Both speak of</span> ${termChips(compared.topic!.terms, TERMS_SHOWN)}</p>`}
${
  compared.passages === null
    ? missing(compared)
    : html`${compared.passages.length > 0 && passageMap(sideOf(compared, 'a'), sideOf(compared, 'b'))}
<p class="facts">${passagesText(compared)}</p>`
}
<div class="tabs" role="group" aria-label="Which text" hidden>${tab(compared, 'a')}${tab(compared, 'b')}</div>
<div class="pair">${column(context, compared, sides, 'a')}${column(context, compared, sides, 'b')}</div>`,
  });
}

/** What the page is made of, since POST /compare has no address. */
export async function compareJson(context: Context, asked: Asked): Promise<Json> {
  return { json: await compare(context, sidesOf(asked)) };
}

/** A page, and the sweep whose text of it is meant. */
interface AskedSide {
  readonly url: string;
  readonly capture?: string;
}

type Sides = Readonly<Record<'a' | 'b', AskedSide>>;

/** With one capture or two, and no second page, a page is compared with itself. */
function sidesOf(asked: Asked): Sides {
  const [chosen = '', other = ''] = asked.all('capture');
  const [a, ofA, ofB] = [
    asked.text('a'),
    asked.text('a_capture') || chosen,
    asked.text('b_capture') || other,
  ];
  const b = asked.text('b') || (ofA + ofB === '' ? '' : a);
  return {
    a: { url: a, ...(ofA !== '' && { capture: ofA }) },
    b: { url: b, ...(ofB !== '' && { capture: ofB }) },
  };
}

function queryOf({ a, b }: Sides): Values {
  return { a: a.url, b: b.url, a_capture: a.capture, b_capture: b.capture };
}

function compare({ ask }: Context, sides: Sides): Promise<CompareAnswer> {
  return ask.answer('compare', { include_text: true }, sides);
}

function headline({ equality, containment }: CompareAnswer, [nameA, nameB]: [string, string]): string {
  if (equality === 'identical') return `${nameA} and ${nameB} are the same`;
  if (equality !== 'different') return `${nameA} and ${nameB} have the same words`;
  const [ofA, ofB] = [containment.a_in_b.value, containment.b_in_a.value];
  if (ofA === 0 && ofB === 0) return `What ${nameA} and ${nameB} have in common`;
  return ofA >= ofB
    ? `${percent(ofA)} of ${nameA} is in ${nameB}`
    : `${percent(ofB)} of ${nameB} is in ${nameA}`;
}

/** Their sweeps or titles, where these tell them apart. */
function namesOf({ a, b }: CompareAnswer, sides: Sides): [string, string] {
  if (a.url === b.url) return [sides.a.capture ?? 'now', sides.b.capture ?? 'now'];
  const [titleA, titleB] = [a, b].map(({ title }) => cut(title.trim().replaceAll(/\s+/g, ' '), NAME_CHARS));
  if (titleA === titleB || titleA === '' || titleB === '') return ['A', 'B'];
  return [`“${titleA}”`, `“${titleB}”`];
}

/** What the headline leaves out. */
function factsOf({
  equality,
  containment,
  topic,
  meaning,
  measure,
  edit_distance: edits,
}: CompareAnswer): string {
  const [ofA, ofB] = [containment.a_in_b.value, containment.b_in_a.value];
  const facts = [];
  if (equality === 'different' && ofA + ofB > 0)
    facts.push(ofA >= ofB ? `${percent(ofB)} of B is in A` : `${percent(ofA)} of A is in B`);
  if (topic !== null) facts.push(`similarity by subject ${topic.similarity.toFixed(2)}`);
  for (const { vector, similarity } of meaning ?? [])
    facts.push(`by meaning (${vector}) ${similarity.toFixed(2)}`);
  if (edits?.exact === true && edits.value > 0)
    facts.push(`${count(edits.value, 'word')} to change, to make one of the other`);
  if (measure === 'estimate') facts.push('estimated from samples of the texts');
  return facts.join(' · ');
}

function passagesText({ passages, passage_count: all }: CompareAnswer): string {
  if (all === 0)
    return 'No ten words in a row are the same. Words that both have are marked, those that count most in the strongest color.';
  const shown = passages!.length;
  return `${count(all!, 'shared passage')}${shown < all! ? `, the ${count(shown)} longest marked` : ''}. A click on one leads to its twin.`;
}

/** Pages that are related, and no copies. */
function isBySubject({ passages, topic }: CompareAnswer): boolean {
  return passages?.length === 0 && topic !== null && topic.terms.length > 0;
}

function sideOf({ passages, ...texts }: CompareAnswer, name: 'a' | 'b'): Side {
  const text = texts[name].text ?? '';
  return { name, length: Math.max(text.length, 1), spans: (passages ?? []).map((passage) => passage[name]) };
}

/** On a phone, where one text is shown at a time. */
function tab(compared: CompareAnswer, name: 'a' | 'b'): Html {
  const { url, title } = compared[name];
  return html`<button type="button" data-side="${name}" aria-pressed="${name === 'a' ? 'true' : 'false'}">${name.toUpperCase()}: ${cut(title.trim() || url || '', NAME_CHARS)}</button>`;
}

function column(context: Context, compared: CompareAnswer, sides: Sides, name: 'a' | 'b'): Html {
  const side: ComparedTextAnswer = compared[name];
  const { url, title, text } = side;
  const heading = html`<h2 id="${name}">${name.toUpperCase()}: ${pageLink(context, { url: url!, title })}</h2>
<p class="facts">${outsideLink(url!, 80)}${sides[name].capture !== undefined && html` · <bdi>${sides[name].capture}</bdi>`} · ${count(side.token_count, 'word')}</p>`;
  if (text === undefined || text === null)
    return html`<section aria-labelledby="${name}">${heading}</section>`;
  const twin = sideOf(compared, name === 'a' ? 'b' : 'a');
  const shown = cut(text, SHOWN_CHARS);
  return html`<section aria-labelledby="${name}">${heading}
<div class="text" tabindex="0" role="group" aria-labelledby="${name}" dir="auto">${isBySubject(compared) ? sharedWords(shown, compared.topic!.terms) : passageText(shown, sideOf(compared, name), twin, SHOWN_CHARS)}${
    text.length > SHOWN_CHARS &&
    html` <em class="gap">(${count(text.length - SHOWN_CHARS)} more characters are not shown)</em>`
  }</div></section>`;
}

function missing({ passages_missing: why }: CompareAnswer): Html {
  return html`<p class="note">${why === 'text_too_long' ? 'The texts are too long to look for passages.' : 'This index keeps no texts, so there are figures but no passages.'}</p>`;
}

function form({ href, ...context }: Context, a: string, b: string): Html {
  const field = (name: string, value: string) => html`<label for="${name}">Page ${name.toUpperCase()}</label>
<input id="${name}" name="${name}" type="text" value="${value}" placeholder="https://..." required maxlength="4096">\n`;
  return frame(
    { href, ...context },
    {
      title: 'Compare two pages',
      body: html`<h1>Compare two pages</h1>
<p class="facts">How much of the one is in the other, and which passages?</p>
<form class="text" action="${href('/explore/compare')}">${field('a', a)}${field('b', b)}<button>Compare</button></form>`,
    },
  );
}
