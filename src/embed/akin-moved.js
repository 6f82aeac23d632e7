import { webUrl } from './asking.js';
import { define } from './elements.js';
import { movedSection, shadowOf } from './lists.js';
import { movedTo } from './service.js';
import { wordsFor } from './words.js';

const USUAL_PLACES = 3;

/**
 * `<akin-moved>`: on a page that says "not found", where the text of that address is now. What the page has inside stays
 * until there is a place, and for good where there is none. A place is drawn at once: its reader has nothing else to read,
 * or is at what is inside, such as a search, which then stays below it.
 */
class AkinMoved extends HTMLElement {
  static observedAttributes = ['url', 'limit', 'endpoint', 'key', 'lang', 'level'];

  /** Counts the questions: an answer to an older one is not shown. */
  #turn = 0;

  connectedCallback() {
    this.#fill();
  }

  disconnectedCallback() {
    this.#turn++;
  }

  attributeChangedCallback() {
    if (this.isConnected && this.#turn > 0) this.connectedCallback();
  }

  async #fill() {
    const turn = ++this.#turn;
    const url = webUrl(this.getAttribute('url')) ?? location.href.replace(/#.*/, '');
    const limit = Number(this.getAttribute('limit')) || USUAL_PLACES;
    const places = await movedTo(this, url, limit).catch(() => []);
    if (turn !== this.#turn) return;
    const level = Number(this.getAttribute('level')) || 2;
    const found = places.length > 0 ? [movedSection(places, wordsFor(this), level)] : [];
    const inside = document.createElement('slot');
    const isKept = places.length === 0 || this.matches(':focus-within');
    shadowOf(this).replaceChildren(...found, ...(isKept ? [inside] : []));
  }
}

define('akin-moved', AkinMoved);
