/** What each sweep brought: pages that are new, changed, or were met for the last time before it. */

import { type Html, html } from '../../../service/http/markup.ts';
import type { ChangedPagesAnswer } from '../../../service/schemas/answers/time-answers.ts';
import { NEWS } from '../../../service/schemas/fields.ts';
import type { Context } from '../../context.ts';
import { frame } from '../../frame.ts';
import { choiceLinks } from '../../parts/choice.ts';
import { bar, count, percent } from '../../parts/figures.ts';
import { cut, placeOf, titleOf } from '../../parts/page-link.ts';
import type { Asked, Made } from '../../reply.ts';

const LIST_LENGTH = 20;
/** Sweeps to choose from, the last of them first. */
const SWEEPS_SHOWN = 12;
const ALL_NEWS = ['', ...NEWS] as const;
const TEXTS: Readonly<Record<(typeof NEWS)[number], string>> = {
  new: 'new',
  minor: 'changed a little',
  major: 'changed',
  rewritten: 'rewritten',
  lost: 'lost',
};

export async function changesPage(context: Context, asked: Asked): Promise<Made> {
  const { ask, href, dataOf } = context;
  const { sweeps } = await ask.answer('index');
  const names = sweeps.map(({ name }) => name);
  const sweep = names.find((name) => name === asked.text('sweep')) ?? names.at(-1) ?? '';
  const news = asked.choice('news', ALL_NEWS);
  const query = { sweep, news, limit: LIST_LENGTH, cursor: asked.text('cursor') };
  const found = await ask.find(['relation-not-in-index'], 'changes', query);
  const self = (more: object) => href('/explore/changes', { sweep, news, ...more });
  return frame(context, {
    title: `Changes: ${cut(sweep, 60)}`,
    at: '/explore/changes',
    ...dataOf('changes', query),
    body: html`<h1>What changed</h1>
${
  names.length > 1 &&
  choiceLinks(
    'Sweep',
    names.slice(-SWEEPS_SHOWN).reverse(),
    sweep,
    (name) => cut(name, 40),
    (name) => self({ sweep: name }),
  )
}
${choiceLinks(
  'What',
  ALL_NEWS,
  news,
  (one) => (one === '' ? 'all' : TEXTS[one]),
  (one) => self({ news: one }),
)}
<p class="facts">${names.length > SWEEPS_SHOWN && html`Of ${count(names.length, 'sweep')} the latest ${count(SWEEPS_SHOWN)}. `}Each text against the one of the sweep before. <a href="${href('/explore/moved')}">Where lost pages went</a> · <a href="${href('/explore/copies')}">Copies</a></p>
${found === null ? html`<div class="empty"><p>This index was built without copies: it keeps no past texts.</p></div>` : list(context, found, self)}`,
  });
}

function list(
  context: Context,
  { pages, looked_at, next }: ChangedPagesAnswer,
  self: (more: object) => string,
): Html {
  return html`${
    pages.length === 0
      ? html`<div class="empty"><p>None among ${count(looked_at, 'page')}${next !== null && ' looked at so far'}.</p></div>`
      : html`<ol class="related">${pages.map((page) => item(context, page))}</ol>`
  }
${next !== null && html`<p class="more"><a href="${self({ cursor: next })}" rel="next">More pages</a></p>`}`;
}

function item({ href }: Context, page: ChangedPagesAnswer['pages'][number]): Html {
  const { url, news, resemblance } = page;
  const change = resemblance === null ? 1 : 1 - resemblance;
  const address = news === 'lost' ? href('/explore/moved', { url }) : href('/explore/page', { url });
  const alike = resemblance === null ? '' : `, ${percent(resemblance)} alike`;
  return html`<li>${bar(change, resemblance === null ? TEXTS[news] : `${percent(change)} of the text differs`)}
<div class="item"><p class="title"><a href="${address}">${titleOf(page)}</a> <small>${TEXTS[news]}${alike}</small></p>
<p class="where">${placeOf(url, null)}</p></div></li>\n`;
}
