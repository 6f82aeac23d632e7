/** The words of a name in camel case, with a sign between them: `maxPageBytes` is `max_page_bytes`. */
export function inWords(name: string, between: '-' | '_'): string {
  return name.replace(/[A-Z]/g, (letter) => `${between}${letter.toLowerCase()}`);
}
