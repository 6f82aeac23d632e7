/**
 * The lists, in a shadow root: the page's style sheet does not reach in but by variables and parts, and theirs does not
 * reach out. Texts are set as text.
 *
 * @import { Item, Place } from './service.js'
 * @import { Words } from './words.js'
 */
import { placeOf, siteOf } from './asking.js';
import { day, make } from './elements.js';

const STYLE = new CSSStyleSheet();
STYLE.replaceSync(`
:host { display: block; line-height: 1.5; }
slot { display: block; }
:host([hidden]), [hidden] { display: none !important; }
section, .hit { --line: color-mix(in srgb, currentColor 22%, transparent); --quiet: var(--akin-muted, color-mix(in srgb, currentColor 74%, transparent)); }
[part=heading] { font: inherit; font-weight: 600; font-size: var(--akin-heading-size, 1.125em); margin: 0 0 .25em; }
ul { list-style: none; margin: 0; padding: 0; }
a { color: var(--akin-link, inherit); text-decoration-color: var(--akin-line, color-mix(in srgb, currentColor 40%, transparent)); text-underline-offset: .2em; display: block; }
a > span, p { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
a:hover { text-decoration-color: currentColor; }
:focus-visible { outline: 2px solid var(--akin-focus, currentColor); outline-offset: 2px; border-radius: 2px; }
p { margin: 0; }
a, p, .site { overflow-wrap: anywhere; text-align: -webkit-match-parent; text-align: match-parent; }
.site, time, p { color: var(--quiet); font-size: .875em; }
.lines > li { padding: .3em 0; display: flex; flex-wrap: wrap; align-items: baseline; column-gap: .75em; }
.place { padding: .5em 0; }
.place p { margin: .25em 0 0; }
.place time { margin-inline-start: .75em; }
.site { max-width: 100%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 12em), 1fr)); gap: var(--akin-gap, 1.25em); }
.cards > li { display: flex; flex-direction: column; gap: .25em; min-width: 0; }
.cards a { font-weight: 600; }
.cards a > span { -webkit-line-clamp: 3; }
.cards img { order: -1; width: 100%; height: auto; aspect-ratio: 16 / 9; object-fit: cover; background: var(--line); }
.hit { margin-top: .25em; font-size: .875em; }
.row { display: flex; flex-wrap: wrap; align-items: baseline; column-gap: 1em; }
.hit [part=heading] { font-weight: 400; font-size: 1em; margin: 0; color: var(--quiet); white-space: nowrap; }
.inline { display: flex; column-gap: 1em; flex: 1 1 60%; min-width: 0; }
.inline > li { min-width: 0; }
.inline a { max-width: 16em; }
.inline a > span { display: block; text-overflow: ellipsis; white-space: nowrap; padding-bottom: .15em; }
button { font: inherit; color: var(--quiet); background: none; border: 0; padding: 0; cursor: pointer; white-space: nowrap; }
button::before { content: ''; display: inline-block; width: .35em; height: .35em; border: solid; border-width: 0 .11em .11em 0; transform: rotate(-45deg); margin-inline: .1em .5em; vertical-align: .12em; }
:host(:dir(rtl)) button[aria-expanded=false]::before { transform: rotate(135deg); }
button[aria-expanded=true]::before { transform: rotate(45deg); vertical-align: .25em; }
button:hover { color: inherit; }
.copies { padding-inline-start: 1em; border-inline-start: 1px solid var(--line); margin: .25em 0; }
@media (max-width: 30rem) {
  .inline { flex: 1 1 100%; flex-wrap: wrap; column-gap: 1.25em; }
}
@media (pointer: coarse) {
  .lines > li { padding: 0; }
  .lines > li > a { padding: .625em 0; }
  .inline a > span, button { line-height: 44px; padding: 0; }
}`);

/**
 * The shadow root of an element, with our style.
 *
 * @param {HTMLElement} host
 */
export function shadowOf(host) {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [STYLE];
  return root;
}

/**
 * Height that a list of so many items hardly exceeds where a reader sees it, as a length of CSS. Cards may have no pictures: for these
 * there is room as far as a window goes, below which a list grows unseen.
 *
 * @param {HTMLElement} host
 * @param {number} count
 */
export function roomOf(host, count) {
  if (!host.hasAttribute('cards')) return `${2.5 + 3.3 * count}em`;
  const em = Number.parseFloat(getComputedStyle(host).fontSize);
  const columns = Math.max(1, Math.floor(host.offsetWidth / (13.25 * em)));
  const rows = Math.ceil(count / columns);
  return `clamp(${13 * rows}em, 100vh, ${13 * rows}em + ${((rows * host.offsetWidth) / columns) * 0.5625}px)`;
}

/**
 * A list under a heading.
 *
 * @param {Item[]} items
 * @param {{ heading: string, label: string, level: number, asCards: boolean, template: HTMLTemplateElement | null }} look
 *   an empty heading shows none; a template makes the items
 */
export function relatedSection(items, { heading, label, level, asCards, template }) {
  const title = heading ? headingOf(heading, level) : null;
  const list = make('ul', { part: 'list', role: 'list', class: asCards ? 'cards' : 'lines' });
  const show = template ? filled(template) : asCards ? card : line;
  list.append(...items.map(show));
  return make('section', { part: 'section', 'aria-label': heading || label }, [title, list]);
}

/**
 * What stands below a hit: a button that opens its copies, and its related pages: on one line, on a phone on as many as they take.
 *
 * @param {{ items: Item[], copies: Item[], heading: string, label: string }} content
 */
export function hitSection({ items, copies, heading, label }) {
  const row = make('div', { class: 'row' });
  const section = make('div', { part: 'section', class: 'hit' }, [row]);
  if (copies.length > 0) {
    const list = make('ul', { part: 'copies', role: 'list', class: 'lines copies', id: 'copies' });
    list.hidden = true;
    list.append(...copies.map(line));
    const state = { part: 'button', type: 'button', 'aria-expanded': 'false', 'aria-controls': 'copies' };
    const button = make('button', state, [label]);
    button.addEventListener('click', () => {
      list.hidden = !list.hidden;
      button.setAttribute('aria-expanded', `${!list.hidden}`);
    });
    row.append(button);
    section.append(list);
  }
  if (items.length > 0) {
    const list = make('ul', { part: 'list', role: 'list', class: 'inline', 'aria-label': heading });
    list.append(...items.map((item) => make('li', { part: item.part }, [link(item)])));
    row.append(make('span', { part: 'heading' }, [heading]), list);
  }
  return section;
}

/**
 * Places of a lost page, under what is said of them by how sure they are.
 *
 * @param {Place[]} places
 * @param {Words} words
 * @param {number} level
 */
export function movedSection(places, words, level) {
  const section = make('section', { part: 'section' });
  for (const [strength, text] of [
    ['now_at', words.now],
    ['parts_in', words.parts],
    ['perhaps', words.perhaps],
  ]) {
    const some = places.filter((place) => place.strength === strength);
    if (some.length === 0) continue;
    const list = make('ul', { part: 'list', role: 'list' });
    list.append(...some.map(placeItem));
    section.append(headingOf(/** @type {string} */ (text), level), list);
  }
  return section;
}

/** @param {Place} place */
function placeItem({ url, title, passage, seen }) {
  return make('li', { part: 'item', class: 'place' }, [
    link({ url, title }),
    make('span', { part: 'path', class: 'site', dir: 'ltr' }, [placeOf(url)]),
    seen === null ? null : day(seen),
    passage === null ? null : make('p', { part: 'description', dir: 'auto' }, [passage]),
  ]);
}

/**
 * @param {string} text
 * @param {number} level
 */
function headingOf(text, level) {
  const name = /** @type {'h2'} */ (`h${Math.min(Math.max(level, 1), 6)}`);
  return make(name, { part: 'heading' }, [text]);
}

/** @param {Item} item */
function line(item) {
  return make('li', { part: item.part }, [link(item), otherSite(item), why(item)]);
}

/**
 * Items as the page writes them: in its template, `data-akin="title"` takes the title, and so on; `url` of a link is where
 * it leads, `image` of a picture what it shows. What an item does not have is left out.
 *
 * @param {HTMLTemplateElement} template
 * @returns {(item: Item) => HTMLLIElement}
 */
function filled(template) {
  return (item) => {
    const row = make('li', { part: item.part }, [document.importNode(template.content, true)]);
    for (const element of row.querySelectorAll('[data-akin]')) {
      for (const name of element.getAttribute('data-akin')?.match(/\S+/g) ?? []) {
        const value = /** @type {Record<string, string | undefined>} */ (/** @type {unknown} */ (item))[name];
        if (value === undefined) element.remove();
        else if (name === 'url') element.setAttribute('href', value);
        else if (name === 'image') element.setAttribute('src', value);
        else element.textContent = value;
      }
    }
    return row;
  };
}

/** @param {Item} item */
function why({ why: words }) {
  return words === undefined ? null : make('p', { part: 'why', dir: 'auto' }, [words]);
}

/** @param {Item} item */
function card(item) {
  const { image, description, published_at: published } = item;
  return make('li', { part: `${item.part} card` }, [
    link(item),
    image === undefined ? null : picture(image),
    description === undefined ? null : make('p', { part: 'description', dir: 'auto' }, [description]),
    why(item),
    published === undefined ? null : day(published),
    otherSite(item),
  ]);
}

/** @param {{ url: string, title: string }} item */
function link({ url, title }) {
  return make('a', { part: 'link', href: url, rel: 'related noopener', dir: 'auto', title }, [
    make('span', {}, [title]),
  ]);
}

/**
 * Host of an item that is on another site than the page.
 *
 * @param {Item} item
 */
function otherSite({ site }) {
  if (site === siteOf(location.href)) return null;
  return make('span', { part: 'site', class: 'site', dir: 'ltr' }, [site]);
}

/** @param {string} src */
function picture(src) {
  const rest = { width: '320', height: '180', alt: '', loading: 'lazy', decoding: 'async' };
  const image = make('img', { part: 'image', ...rest, referrerpolicy: 'no-referrer', src });
  image.addEventListener('error', () => image.remove());
  return image;
}
