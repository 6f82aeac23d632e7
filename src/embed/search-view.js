/**
 * What the search looks like, in a shadow root. Texts are set as text.
 *
 * @import { Facet, Found } from './search-service.js'
 */
import { placeOf } from './asking.js';
import { day, make } from './elements.js';

export const SEARCH_STYLE = new CSSStyleSheet();
SEARCH_STYLE.replaceSync(`
:host { display: block; position: relative; line-height: 1.5; white-space: normal; --line: color-mix(in srgb, currentColor 40%, transparent); --quiet: var(--akin-muted, color-mix(in srgb, currentColor 74%, transparent)); }
:host([hidden]), [hidden] { display: none !important; }
input { box-sizing: border-box; width: 100%; min-height: 44px; padding: .25em .75em; font: inherit; color: inherit; background: transparent; border: 1px solid var(--quiet); border-radius: 4px; }
:focus-visible { outline: 2px solid var(--akin-focus, currentColor); outline-offset: 2px; }
p, ol, ul { margin: 0; padding: 0; list-style: none; }
[part=status]:not(:empty) { margin-top: .5em; }
.row { display: flex; flex-wrap: wrap; gap: .25em .5em; margin-top: .5em; }
.row > *, button { font: inherit; font-size: .875em; line-height: 1.5; padding: .25em .75em; color: inherit; background: none; border: 1px solid var(--line); border-radius: 4px; cursor: pointer; max-width: 100%; overflow-wrap: anywhere; }
[aria-selected=true], [aria-pressed=true] { border-color: currentColor; font-weight: 600; }
[part=item] { padding: .5em 0; overflow-wrap: anywhere; }
[part=item] a { color: var(--akin-link, inherit); font-weight: 600; text-decoration-color: var(--line); text-underline-offset: .2em; }
[part=status], [part=path], time, [part=description] { color: var(--quiet); font-size: .875em; }
time { margin-inline-start: .75em; }
[part=description] { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; text-align: -webkit-match-parent; text-align: match-parent; }
mark { color: inherit; background: none; font-weight: 600; forced-color-adjust: none; }
:host([floating]) [part=panel] { position: absolute; z-index: 10; inset-inline: 0; max-height: 70vh; overflow: auto; padding: 0 .75em .5em; color: CanvasText; background: Canvas; border: 1px solid var(--line); border-radius: 0 0 4px 4px; }
@media (pointer: coarse) { .row > *, button { line-height: 2.25; } }`);

/**
 * One page that was found.
 *
 * @param {Found} found
 */
export function foundItem({ url, title, published, passage }) {
  const text = passage.map(([part, isMarked]) => (isMarked ? make('mark', {}, [part]) : part));
  return make('li', { part: 'item' }, [
    make('a', { part: 'link', href: url, dir: 'auto' }, [title]),
    make('p', {}, [
      make('span', { part: 'path', dir: 'ltr' }, [readable(placeOf(url))]),
      published === null ? null : day(published),
    ]),
    make('p', { part: 'description', dir: 'auto' }, text),
  ]);
}

/**
 * Percent-encoded letters as letters; signs that could pass for a part of the address stay encoded.
 *
 * @param {string} place
 */
function readable(place) {
  return place.replace(/(?:%[89A-F][0-9A-F])+/gi, (encoded) => {
    try {
      const text = decodeURIComponent(encoded);
      return /^[\p{L}\p{M}\p{N}]+$/u.test(text) ? text : encoded;
    } catch {
      return encoded;
    }
  });
}

/**
 * Buttons that narrow what was found; null where there is nothing to choose.
 *
 * @param {Facet} facet
 * @param {string} chosen empty for all
 * @param {import('./search-words.js').SearchWords} words
 * @param {(value: string) => void} choose
 */
export function facetRow({ name, values }, chosen, words, choose) {
  if (chosen === '' && values.length < 2) return null;
  const row = make('div', { part: 'facet', class: 'row', role: 'group', 'aria-label': words[name] });
  for (const { value, pages } of [{ value: '', pages: 0 }, ...values]) {
    const shown = name === 'lang' ? languageName(value) : value;
    const text = value === '' ? words.all : `${shown} (${pages})`;
    const button = make('button', { type: 'button', 'aria-pressed': `${value === chosen}` }, [text]);
    button.addEventListener('click', () => choose(value));
    row.append(button);
  }
  return row;
}

/**
 * A language by its name in that of the page; its code where it has none.
 *
 * @param {string} code
 */
function languageName(code) {
  // What a page says of its language may be no tag, as in `day`.
  for (const lang of [document.documentElement.lang, []]) {
    try {
      return new Intl.DisplayNames(lang, { type: 'language' }).of(code) ?? code;
    } catch {}
  }
  return code;
}

/**
 * Words to go on with. The box keeps the focus: none of them is a stop of the tab key.
 *
 * @param {string[]} texts
 * @param {(text: string) => void} choose
 */
export function optionsOf(texts, choose) {
  return texts.map((text, at) => {
    const option = make('li', { role: 'option', id: `option-${at}`, 'aria-selected': 'false', dir: 'auto' }, [
      text,
    ]);
    option.addEventListener('pointerdown', (event) => event.preventDefault());
    option.addEventListener('click', () => choose(text));
    return option;
  });
}
