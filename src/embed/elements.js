/** Makes elements, and what they go by. Texts are set as text. */

/**
 * Defines an element, once: a page may load the script under two addresses.
 *
 * @param {string} name
 * @param {CustomElementConstructor} element
 */
export function define(name, element) {
  if (customElements.get(name) === undefined) customElements.define(name, element);
}

/**
 * Primary subtag of the language that an element stands in; within a shadow root of the page, that of the page.
 *
 * @param {Element} element
 */
export function languageOf(element) {
  const said = element.closest('[lang]:not([lang=same])') ?? document.documentElement;
  return said.getAttribute('lang')?.split(/[-_]/)[0]?.toLowerCase() ?? '';
}

/**
 * An element with attributes and children; null is no child.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string>} [attributes]
 * @param {(Node | string | null)[]} [children]
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function make(name, attributes = {}, children = []) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.filter((child) => child !== null));
  return element;
}

/**
 * A day as the page writes it, a time as the day that it is for the reader; null where it is none.
 *
 * @param {string} published
 */
export function day(published) {
  // What a page says of its language may be no tag, such as en_US: then as the browser writes it.
  for (const lang of [document.documentElement.lang, []]) {
    try {
      const text = new Intl.DateTimeFormat(lang, {
        dateStyle: 'medium',
        timeZone: published[10] ? undefined : 'UTC',
      }).format(new Date(published));
      return make('time', { part: 'time', datetime: published }, [text]);
    } catch {}
  }
  return null;
}
