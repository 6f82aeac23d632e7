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
 * A day as the page writes it; null where it is none.
 *
 * @param {string} published
 */
export function day(published) {
  const date = new Date(published);
  if (Number.isNaN(date.valueOf())) return null;
  const text = date.toLocaleDateString(document.documentElement.lang || undefined, { dateStyle: 'medium' });
  return make('time', { part: 'time', datetime: published }, [text]);
}
