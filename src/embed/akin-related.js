import { webUrl } from './asking.js';
import { drawCalmly, endsOutOfSight, isLastInSight, whenNear } from './calm.js';
import { define } from './elements.js';
import { relatedSection, roomOf, shadowOf } from './lists.js';
import { NARROWING, relatedTo } from './service.js';
import { wordsFor } from './words.js';

const USUAL_ITEMS = 5;

/**
 * `<akin-related>`: pages related to a page. What the page has inside stays until there is a list, and for good where
 * there is none.
 *
 * Room is kept for the list from the start where that moves nothing, so that a reader who jumps to it finds it there.
 */
class AkinRelated extends HTMLElement {
  static observedAttributes = [
    'url',
    'limit',
    'endpoint',
    'key',
    'heading',
    'level',
    'cards',
    'why',
    ...NARROWING,
  ];

  #room = document.createElement('div');
  /** @type {() => void} */
  #stop = () => {};
  /** Counts the questions: an answer to an older one is not shown. */
  #turn = 0;

  connectedCallback() {
    this.#stop();
    if (this.#room.parentNode === null) {
      this.#room.append(document.createElement('slot'));
      shadowOf(this).append(this.#room);
    }
    if (this.#turn === 0 && endsOutOfSight(this)) this.#room.style.minBlockSize = roomOf(this, this.#limit());
    this.#stop = whenNear(this, () => this.#fill());
  }

  disconnectedCallback() {
    this.#stop();
    this.#turn++;
    this.removeAttribute('aria-busy');
  }

  attributeChangedCallback() {
    if (this.isConnected && this.#turn > 0) this.connectedCallback();
  }

  async #fill() {
    const turn = ++this.#turn;
    this.setAttribute('aria-busy', 'true');
    const items = await relatedTo(this, this.#url(), this.#limit()).catch(() => []);
    if (turn !== this.#turn) return;
    this.removeAttribute('aria-busy');
    this.#draw(items.length > 0 ? this.#section(items) : document.createElement('slot'));
  }

  #limit() {
    return Number(this.getAttribute('limit')) || USUAL_ITEMS;
  }

  /** The page itself where `url` says nothing else, by its canonical address. */
  #url() {
    const canonical = document.querySelector('link[rel~=canonical]')?.getAttribute('href');
    return webUrl(this.getAttribute('url') ?? canonical) ?? location.href.replace(/#.*/, '');
  }

  /** @param {import('./service.js').Item[]} items */
  #section(items) {
    const { related } = wordsFor(this);
    const heading = this.getAttribute('heading') ?? related;
    const level = Number(this.getAttribute('level')) || 2;
    /** @type {HTMLTemplateElement | null} */
    const template = this.querySelector(':scope > template');
    return relatedSection(items, {
      heading,
      label: related,
      level,
      asCards: this.hasAttribute('cards'),
      template,
    });
  }

  /** @param {HTMLElement} content */
  #draw(content) {
    const room = this.#room;
    const before = [...room.childNodes];
    const { height } = this.getBoundingClientRect();
    const show = () => room.replaceChildren(content);
    // Tried out between two pictures: what is taken back is not seen.
    const fits = () => {
      if (isLastInSight(this)) return true;
      show();
      const grown = this.getBoundingClientRect().height - height;
      room.replaceChildren(...before);
      return Math.abs(grown) < 1;
    };
    // Only where the page does not become too short for where its reader is.
    const giveBack = () => {
      this.#stop = drawCalmly(
        content,
        () => room.style.removeProperty('min-block-size'),
        () => content.getBoundingClientRect().bottom >= innerHeight,
      );
    };
    this.#stop = drawCalmly(
      this,
      () => {
        show();
        giveBack();
      },
      fits,
    );
  }
}

define('akin-related', AkinRelated);
