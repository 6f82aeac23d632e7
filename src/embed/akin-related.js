import { drawCalmly, isLastInSight, whenNear } from './calm.js';
import { relatedSection, shadowOf } from './lists.js';
import { relatedTo, webUrl } from './service.js';
import { wordsFor } from './words.js';

/**
 * `<akin-related>`: pages related to a page. What the page has inside stays until there is a list, and for good where
 * there is none.
 */
class AkinRelated extends HTMLElement {
  static observedAttributes = ['url', 'limit', 'by', 'same-site', 'endpoint', 'lang', 'heading', 'cards'];

  /** @type {() => void} */
  #stop = () => {};
  /** Counts the questions: an answer to an older one is not shown. */
  #turn = 0;

  connectedCallback() {
    this.#stop();
    this.#stop = whenNear(this, () => this.#fill());
  }

  disconnectedCallback() {
    this.#stop();
    this.#turn++;
  }

  attributeChangedCallback() {
    if (!this.isConnected || this.#turn === 0) return;
    this.connectedCallback();
  }

  async #fill() {
    const turn = ++this.#turn;
    this.setAttribute('aria-busy', 'true');
    const items = await relatedTo(this, this.#url()).catch(() => []);
    if (turn !== this.#turn) return;
    this.removeAttribute('aria-busy');
    if (items.length > 0) this.#draw(items);
    else this.shadowRoot?.replaceChildren(document.createElement('slot'));
  }

  /** The page itself where `url` says nothing else, by its canonical address. */
  #url() {
    const canonical = document.querySelector('link[rel~=canonical]')?.getAttribute('href');
    return webUrl(this.getAttribute('url') ?? canonical) ?? location.href.replace(/#.*/, '');
  }

  /** @param {import('./service.js').Item[]} items */
  #draw(items) {
    const words = wordsFor(this);
    const section = relatedSection(items, {
      heading: this.getAttribute('heading') ?? words.related,
      label: words.related,
      level: Number(this.getAttribute('level')) || 2,
      asCards: this.hasAttribute('cards'),
    });
    const root = shadowOf(this);
    const before = [...root.childNodes];
    if (before.length === 0) before.push(document.createElement('slot'));
    root.replaceChildren(...before);
    const { height } = this.getBoundingClientRect();
    const show = () => root.replaceChildren(section);
    // Tried out between two pictures: nobody sees what is taken back.
    const fits = () => {
      if (isLastInSight(this)) return true;
      show();
      const grown = this.getBoundingClientRect().height - height;
      root.replaceChildren(...before);
      return Math.abs(grown) < 1;
    };
    this.#stop = drawCalmly(this, show, fits);
  }
}

customElements.define('akin-related', AkinRelated);
