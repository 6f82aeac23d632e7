/** All sites, and the pages of one. */

import { cutText } from '../../../lib/cut-text.ts';
import { type Html, html } from '../../../service/http/markup.ts';
import { shownHost } from '../../../url/shown-host.ts';
import type { Context } from '../../context.ts';
import { frame } from '../../frame.ts';
import { FETCHED, fetchedLinks } from '../../parts/choice.ts';
import { bar, count } from '../../parts/figures.ts';
import { aboutLine, cut, pageLink, placeOf } from '../../parts/page-link.ts';
import type { Asked, Made } from '../../reply.ts';

const LIST_LENGTH = 30;

export async function sitesPage(context: Context, asked: Asked): Promise<Made> {
  const site = cutText(asked.text('site'), 255);
  if (site !== '') return sitePage(context, asked, site);
  const { ask, href, dataOf } = context;
  const name = cutText(asked.text('name'), 255);
  const query = { name, limit: LIST_LENGTH, cursor: asked.text('cursor') };
  const { sites, total, next } = await ask.answer('sites', query);
  const greatest = Math.max(...sites.map(({ pages }) => pages), 1);
  return frame(context, {
    title: 'Sites',
    at: '/explore/sites',
    ...dataOf('sites', query),
    body: html`<h1>Sites</h1>
<p class="facts">${count(total, 'site')}${name !== '' && html` with “<bdi>${name}</bdi>”`}, those of most pages read first.</p>
<form class="narrow" action="${href('/explore/sites')}" role="search" aria-label="Sites">
<label class="hidden" for="name">A part of the name of a site</label>
<input id="name" name="name" type="text" value="${name}" placeholder="Find a site" maxlength="255" autocapitalize="none" spellcheck="false">
<button>Find</button>
</form>
${
  sites.length === 0
    ? html`<div class="empty"><p>No site has this in its name.</p><p><a href="${href('/explore/sites')}">All sites</a></p></div>`
    : html`<ol class="topics">${sites.map(
        ({ site, pages, fetched_pages: fetched }) => html`<li>${bar(pages / greatest, count(pages, 'page'))}
<div class="item"><p class="title"><a href="${href('/explore/sites', { site })}"><bdi>${cut(shownHost(site), 100)}</bdi></a> <small>${sizeText(pages, fetched)}</small></p></div></li>\n`,
      )}</ol>`
}
${next !== null && html`<p class="more"><a href="${href('/explore/sites', { name, cursor: next })}" rel="next">More sites</a></p>`}`,
  });
}

function sizeText(pages: number, fetched: number): string {
  if (pages === fetched) return count(pages, 'page');
  const unread = `${count(pages - fetched)} known by links`;
  return fetched === 0 ? unread : `${count(fetched, 'page')}, and ${unread}`;
}

async function sitePage(context: Context, asked: Asked, site: string): Promise<Html> {
  const { ask, href, dataOf } = context;
  const fetched = asked.choice('fetched', FETCHED);
  const given = asked.text('lang');
  // Any other is none that a page can have.
  const lang = /^[a-z]{2,8}$/i.test(given) ? given : '';
  const query = { site, fetched, lang, limit: LIST_LENGTH, cursor: asked.text('cursor') };
  const { pages, next } = await ask.answer('sitePages', query);
  const kept = { site, lang, fetched: fetched === 'only' ? '' : fetched };
  const self = (more: object) => href('/explore/sites', { ...kept, ...more });
  return frame(context, {
    title: `Pages of ${cut(shownHost(site), 60)}`,
    at: '/explore/sites',
    ...dataOf('sitePages', query),
    body: html`<p class="path"><a href="${href('/explore/sites')}">All sites</a></p>
<h1>Pages of <bdi>${cut(shownHost(site), 100)}</bdi></h1>
<form class="narrow" action="${href('/explore/sites')}">
<input type="hidden" name="site" value="${site}">
<input type="hidden" name="fetched" value="${fetched}">
<label class="hidden" for="lang">Language of the pages, such as en</label>
<input id="lang" name="lang" type="text" value="${lang}" placeholder="Any language" maxlength="8" autocapitalize="none" spellcheck="false">
<button>Show</button>
</form>
${fetchedLinks('Which pages', fetched, { only: 'those that were read', include: 'all that are known' }, self)}
${
  pages.length === 0
    ? html`<div class="empty"><p>${next === null ? 'There is no such page.' : 'None among the pages looked at so far.'}</p></div>`
    : html`<ol class="found">${pages.map(
        (page) => html`<li><p class="title">${pageLink(context, page)}</p>
${aboutLine(page)}
<p class="where">${placeOf(page.url, null)}</p></li>\n`,
      )}</ol>`
}
${next !== null && html`<p class="more"><a href="${self({ cursor: next })}" rel="next">More pages</a></p>`}`,
  });
}
