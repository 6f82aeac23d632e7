/** Makes elements. Texts are set as text. */

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
