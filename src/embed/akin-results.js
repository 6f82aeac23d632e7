import { siteOf, webUrl } from './asking.js';
import { drawCalmly, endsOutOfSight, isOutOfSight, whenNear } from './calm.js';
import { define } from './elements.js';
import { hitSection, shadowOf } from './lists.js';
import { relatedToAll } from './service.js';
import { similarLabel, wordsFor } from './words.js';

/** As many as the service takes at once, and as long. */
const MAX_HITS = 100;
const MAX_URL_CHARS = 4096;
/** Related pages of each. */
const USUAL_ITEMS_PER_HIT = 3;

/**
 * @typedef {object} Hit
 * @property {HTMLElement} element
 * @property {string} url
 * @property {string} title
 */

/** `<akin-results>`: around a list of results; folds copies under the first of them and adds related pages to each. */
class AkinResults extends HTMLElement {
  #stop = () => {};
  /** A list is done once, wherever it is moved to. */
  #isDone = false;

  connectedCallback() {
    if (!this.#isDone) this.#stop = whenNear(this, () => this.#fill());
  }

  disconnectedCallback() {
    this.#stop();
  }

  async #fill() {
    const hits = this.#hits();
    this.#isDone = true;
    try {
      if (hits.length > 0) await this.#add(hits);
    } catch {
      // The list stays as it came.
    }
    this.removeAttribute('aria-busy');
    // The page may hide the list by this attribute until it is done, for a moment.
    this.removeAttribute('hold');
  }

  /** @returns {Hit[]} */
  #hits() {
    const selector = this.getAttribute('selector') || 'li, article';
    const elements = /** @type {HTMLElement[]} */ ([...this.querySelectorAll(selector)]);
    return elements
      .filter((element) => !elements.some((other) => other !== element && other.contains(element)))
      .flatMap((element) => {
        const link = /** @type {HTMLAnchorElement | null} */ (element.querySelector('a[href]'));
        const url = webUrl(link?.getAttribute('href'));
        return url === null || url.length > MAX_URL_CHARS
          ? []
          : { element, url, title: link?.textContent?.trim() || url };
      })
      .slice(0, MAX_HITS);
  }

  /** @param {Hit[]} hits */
  async #add(hits) {
    this.setAttribute('aria-busy', 'true');
    const urls = hits.map(({ url }) => url);
    const limit = Number(this.getAttribute('limit')) || USUAL_ITEMS_PER_HIT;
    const { lists, groups } = await relatedToAll(this, urls, limit);
    const copiesOf = new Map(groups.map(([first, ...others]) => [first, others.map((rank) => hits[rank])]));
    const hidden = new Set(groups.flatMap(([, ...others]) => others));
    const words = wordsFor(this);
    for (const [rank, { element }] of hits.entries()) {
      const items = lists[rank] ?? [];
      const copies = (copiesOf.get(rank) ?? []).filter((hit) => hit !== undefined);
      if (hidden.has(rank) || items.length + copies.length === 0) continue;
      const section = hitSection({
        items,
        copies: copies.map(({ url, title }) => ({ url, title, site: siteOf(url), part: 'item' })),
        heading: this.getAttribute('heading') || words.related,
        label: similarLabel(words, copies.length),
      });
      const draw = () => {
        const host = document.createElement('div');
        host.className = 'akin-hit';
        shadowOf(host).append(section);
        element.append(host);
        for (const copy of copies) copy.element.style.setProperty('display', 'none', 'important');
      };
      const isFree = () => endsOutOfSight(element) && copies.every((copy) => isOutOfSight(copy.element));
      drawCalmly(element, draw, isFree);
    }
  }
}

define('akin-results', AkinResults);
