import { define, make } from './elements.js';
import { resultsOf, suggestionsFor } from './search-service.js';
import { facetRow, foundItem, optionsOf, SEARCH_STYLE } from './search-view.js';
import { searchWordsFor } from './search-words.js';

const USUAL_RESULTS = 8;
/** Between two keys of a person who types. */
const PAUSE_MS = 150;
/** The longest question that the service takes. */
const MAX_QUESTION_CHARS = 500;

/**
 * `<akin-search>`: a box that answers while one types. A form inside it is the search without script, and where Enter leads.
 *
 * The parts stay in the tree and are filled anew, so that the box keeps the focus and readers of the screen hear the count.
 */
class AkinSearch extends HTMLElement {
  #words = searchWordsFor(this);
  #input = make('input', {
    part: 'input',
    type: 'search',
    role: 'combobox',
    autocomplete: 'off',
    autocapitalize: 'none',
    spellcheck: 'false',
    dir: 'auto',
    maxlength: String(MAX_QUESTION_CHARS),
    'aria-autocomplete': 'list',
    'aria-controls': 'suggestions',
    'aria-expanded': 'false',
  });
  #suggestions = make('ul', { part: 'suggestions', class: 'row', role: 'listbox', id: 'suggestions' });
  #status = make('p', { part: 'status', role: 'status' });
  #facets = make('div');
  #list = make('ol', { part: 'list', role: 'list' });
  /** Why there is not more. */
  #fault = make('p', { part: 'status', role: 'alert' });
  #more = make('button', { part: 'more', type: 'button' });
  #panel = make('div', { part: 'panel' });
  #chosen = { site: '', lang: '' };
  /** Counts the questions: an answer to an older one is not shown. */
  #turn = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #pause;
  /** The suggestion that the arrows are at; -1 for the box. */
  #at = -1;
  /** Whether Escape closed suggestions and what lies over the page: they stay closed until more is typed. */
  #isClosed = false;

  connectedCallback() {
    if (this.shadowRoot !== null) return;
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [SEARCH_STYLE];
    this.#words = searchWordsFor(this);
    const label = this.getAttribute('label') ?? this.#words.search;
    this.#input.setAttribute('aria-label', label);
    this.#input.placeholder = this.getAttribute('placeholder') ?? label;
    this.#suggestions.setAttribute('aria-label', label);
    this.#more.textContent = this.#words.more;
    this.#panel.append(this.#suggestions, this.#status, this.#facets, this.#list, this.#fault, this.#more);
    // What is pressed in it does not take the focus out, be it a text or, in Safari, a button.
    if (this.#isFloating) this.#panel.tabIndex = -1;
    root.append(this.#input, this.#panel);
    this.#input.addEventListener('input', () => this.#typed());
    this.#input.addEventListener('keydown', (event) => this.#key(event));
    this.#input.addEventListener('focus', () => this.#entered());
    this.#panel.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !this.#isFloating) return;
      event.preventDefault();
      this.#input.focus();
      this.#close();
    });
    this.addEventListener('focusout', ({ relatedTarget }) => {
      const isInside = relatedTarget === this || root.contains(/** @type {Node | null} */ (relatedTarget));
      if (this.#isFloating && !isInside) this.#show(false);
    });
    const parameter = this.getAttribute('param');
    this.#input.value =
      (parameter && new URLSearchParams(location.search).get(parameter)) ?? this.#form?.value ?? '';
    this.#clear();
    if (!this.#isFloating) this.#ask();
  }

  /** Whether results lie over the page. */
  get #isFloating() {
    return this.hasAttribute('floating');
  }

  /** The box of the form inside, which works without script. */
  get #form() {
    return /** @type {HTMLInputElement | null} */ (
      this.querySelector('form input[name]:is([type=search], [type=text], :not([type]))')
    );
  }

  #entered() {
    this.#isClosed = false;
    // What lies over the page is asked for when it is wanted.
    if (this.#turn === 0) this.#ask();
    else this.#show(this.#status.textContent !== '');
  }

  #typed() {
    clearTimeout(this.#pause);
    this.#turn++;
    this.#isClosed = false;
    this.#chosen = { site: '', lang: '' };
    this.#pause = setTimeout(() => this.#ask(), PAUSE_MS);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const options = this.#suggestions.children;
    if (event.isComposing) return;
    if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && options.length > 0) {
      event.preventDefault();
      const places = options.length + 1;
      const step = event.key === 'ArrowDown' ? 1 : -1;
      this.#goTo(((this.#at + 1 + step + places) % places) - 1);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const option = options[this.#at];
      if (option) this.#choose(option.textContent ?? '');
      else this.#enter();
    } else if (event.key === 'Escape' && (this.#isFloating ? !this.#panel.hidden : options.length > 0)) {
      event.preventDefault();
      this.#close();
    }
  }

  #close() {
    this.#isClosed = true;
    this.#suggest([]);
    this.#show(false);
  }

  /** @param {number} at */
  #goTo(at) {
    this.#at = at;
    for (const [place, option] of [...this.#suggestions.children].entries()) {
      option.setAttribute('aria-selected', `${place === at}`);
    }
    if (at < 0) this.#input.removeAttribute('aria-activedescendant');
    else this.#input.setAttribute('aria-activedescendant', `option-${at}`);
  }

  /** @param {string} text */
  #choose(text) {
    this.#input.value = text;
    this.#typed();
    this.#input.focus();
  }

  /** The way to the page of results where there is one, else the answer at once. */
  #enter() {
    const own = this.#form;
    if (own?.form) {
      own.value = this.#input.value;
      own.form.requestSubmit();
    } else {
      clearTimeout(this.#pause);
      this.#isClosed = false;
      this.#ask();
    }
  }

  /** @returns {Promise<void>} */
  async #ask(cursor = '') {
    const turn = ++this.#turn;
    const q = this.#input.value.trim();
    if (q === '') return this.#clear();
    const question = {
      q: this.#input.value.trimStart(),
      site: this.#chosen.site || this.getAttribute('site') || '',
      lang: this.#chosen.lang,
      cursor,
    };
    const limit = Number(this.getAttribute('limit')) || USUAL_RESULTS;
    if (cursor === '') {
      suggestionsFor(this, question)
        .catch(() => [])
        .then((texts) => turn === this.#turn && this.#suggest(this.#isClosed ? [] : texts));
    }
    try {
      const found = await resultsOf(this, question, limit);
      if (turn === this.#turn) this.#draw(found, cursor !== '');
    } catch (error) {
      if (turn !== this.#turn) return;
      // The index has changed since: another list, from its beginning.
      if (cursor !== '' && /** @type {Error} */ (error).message === '410') return this.#ask();
      // What is there stays, and so does the button to ask again.
      if (cursor !== '') this.#fault.textContent = this.#words.failed;
      else this.#fail();
    }
  }

  /**
   * @param {import('./search-service.js').SearchResults} found
   * @param {boolean} isMore
   */
  #draw({ total, instead, left, facets, results, next }, isMore) {
    const { one, many, none, instead: insteadText, left: leftText } = this.#words;
    const counted = total === 0 ? none : (total === 1 ? (one ?? many) : many).replace('#', String(total));
    const said = instead === null ? counted : `${insteadText.replace('#', () => instead)}: ${counted}`;
    this.#status.textContent = left === null ? said : `${said} · ${leftText.replace('#', () => left)}`;
    const rows = facets.map((facet) =>
      facetRow(facet, this.#chosen[facet.name], this.#words, (value) => this.#narrow(facet.name, value)),
    );
    const isAtMore = this.shadowRoot?.activeElement === this.#more;
    this.#putFacets(rows.filter((row) => row !== null));
    const items = results.map(foundItem);
    if (isMore) this.#list.append(...items);
    else this.#list.replaceChildren(...items);
    // Of who has gone on meanwhile the focus is left where it is.
    if (isMore && isAtMore) items[0]?.querySelector('a')?.focus();
    this.#fault.textContent = '';
    this.#more.hidden = next === null;
    this.#more.onclick = () => this.#ask(next ?? '');
    this.#show(true);
  }

  /**
   * @param {'site' | 'lang'} name
   * @param {string} value
   */
  #narrow(name, value) {
    this.#chosen = { ...this.#chosen, [name]: value };
    this.#ask();
  }

  /**
   * A button that has the focus is drawn anew; its place keeps it.
   *
   * @param {HTMLElement[]} rows
   */
  #putFacets(rows) {
    const held = this.shadowRoot?.activeElement?.closest('[part=facet]');
    this.#facets.replaceChildren(...rows);
    if (!held) return;
    const row = rows.find(({ ariaLabel }) => ariaLabel === held.ariaLabel);
    /** @type {HTMLElement | null | undefined} */
    const pressed = row?.querySelector('[aria-pressed=true]');
    (pressed ?? this.#input).focus();
  }

  /** @param {string[]} texts */
  #suggest(texts) {
    this.#suggestions.replaceChildren(...optionsOf(texts, (text) => this.#choose(text)));
    this.#suggestions.hidden = texts.length === 0;
    this.#goTo(-1);
    this.#show(texts.length > 0 || !this.#panel.hidden);
  }

  #clear() {
    this.#suggest([]);
    this.#status.textContent = '';
    this.#putFacets([]);
    this.#list.replaceChildren();
    this.#fault.textContent = '';
    this.#more.hidden = true;
    this.#show(false);
  }

  #fail() {
    this.#clear();
    this.#status.textContent = this.#words.failed;
    this.#show(true);
  }

  /**
   * What lies over the page is shown while one is in the box, or in what it found.
   *
   * @param {boolean} isShown
   */
  #show(isShown) {
    const isWanted = isShown && !this.#isClosed && this.matches(':focus-within');
    this.#panel.hidden = this.#isFloating && !isWanted;
    this.#input.setAttribute('aria-expanded', `${!this.#panel.hidden && !this.#suggestions.hidden}`);
  }
}

define('akin-search', AkinSearch);
