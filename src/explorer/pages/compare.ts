/** Two pages side by side, what they share marked in both. */
import type { CompareAnswer, ComparedTextAnswer } from '../../service/schemas/copy-answers.ts';
import type { Context } from '../context.ts';
import { frame } from '../frame.ts';
import { type Html, html } from '../html.ts';
import { count, percent } from '../parts/figures.ts';
import { cut, outsideLink, pageLink } from '../parts/page-link.ts';
import { passageMap, passageText, type Side } from '../parts/passages.ts';
import type { Asked, Json, Made } from '../reply.ts';

/** Of each text; what lies behind is counted, not shown. */
const SHOWN_CHARS = 60_000;

export async function comparePage(context: Context, asked: Asked): Promise<Made> {
  const [a, b] = [asked.text('a'), asked.text('b')];
  if (a === '' || b === '') return form(context, a, b);
  const compared = await compare(context, a, b);
  return frame(context, {
    title: headline(compared),
    asked: a,
    json: context.href('/explore/compare.json', { a, b }),
    scripts: ['compare.js'],
    wide: true,
    body: html`<h1>${headline(compared)}</h1>
<p class="facts">${factsOf(compared)}</p>
<p class="actions"><a href="${context.href('/explore/compare', { a: b, b: a })}">swap</a> <a href="${context.href('/explore/compare.json', { a, b })}">as JSON</a></p>
${
  compared.passages === null
    ? missing(compared)
    : html`${compared.passages.length > 0 && passageMap(sideOf(compared, 'a'), sideOf(compared, 'b'))}
<p class="facts">${passagesText(compared)}</p>`
}
<div class="pair">${column(context, compared, 'a')}${column(context, compared, 'b')}</div>`,
  });
}

/** What the page is made of, since POST /compare has no address. */
export async function compareJson(context: Context, asked: Asked): Promise<Json> {
  return { json: await compare(context, asked.text('a'), asked.text('b')) };
}

function compare({ ask }: Context, a: string, b: string): Promise<CompareAnswer> {
  return ask.answer('compare', { include_text: true }, { a: { url: a }, b: { url: b } });
}

function headline({ equality, containment }: CompareAnswer): string {
  if (equality === 'identical') return 'A and B are the same';
  if (equality !== 'different') return 'A and B have the same words';
  const [ofA, ofB] = [containment.a_in_b.value, containment.b_in_a.value];
  if (ofA === 0 && ofB === 0) return 'A and B share no passage';
  return ofA >= ofB ? `${percent(ofA)} of A is in B` : `${percent(ofB)} of B is in A`;
}

/** What the headline leaves out. */
function factsOf({ equality, containment, topic, measure }: CompareAnswer): string {
  const [ofA, ofB] = [containment.a_in_b.value, containment.b_in_a.value];
  const facts = [];
  if (equality === 'different' && ofA + ofB > 0)
    facts.push(ofA >= ofB ? `${percent(ofB)} of B is in A` : `${percent(ofA)} of A is in B`);
  if (topic !== null) facts.push(`similarity by subject ${topic.similarity.toFixed(2)}`);
  if (measure === 'estimate') facts.push('estimated from samples of the texts');
  return facts.join(' · ');
}

function passagesText({ passages, passage_count: all }: CompareAnswer): string {
  if (all === 0) return 'No ten words in a row are the same.';
  const shown = passages!.length;
  return `${count(all!, 'shared passage')}${shown < all! ? `, the ${count(shown)} longest marked` : ''}. A click on one leads to its twin.`;
}

function sideOf({ passages, ...texts }: CompareAnswer, name: 'a' | 'b'): Side {
  const text = texts[name].text ?? '';
  return { name, length: Math.max(text.length, 1), spans: (passages ?? []).map((passage) => passage[name]) };
}

function column(context: Context, compared: CompareAnswer, name: 'a' | 'b'): Html {
  const side: ComparedTextAnswer = compared[name];
  const { url, title, text } = side;
  const heading = html`<h2 id="${name}">${name.toUpperCase()}: ${pageLink(context, { url: url!, title })}</h2>
<p class="facts">${outsideLink(url!, 80)} · ${count(side.token_count, 'word')}</p>`;
  if (text === undefined || text === null)
    return html`<section aria-labelledby="${name}">${heading}</section>`;
  const twin = sideOf(compared, name === 'a' ? 'b' : 'a');
  return html`<section aria-labelledby="${name}">${heading}
<div class="text" tabindex="0" role="group" aria-labelledby="${name}" dir="auto">${passageText(cut(text, SHOWN_CHARS), sideOf(compared, name), twin, SHOWN_CHARS)}${
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
