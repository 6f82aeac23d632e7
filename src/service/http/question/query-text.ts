/** Names in order of appearance; a repeated name has an array. */
export type QueryText = Record<string, string | string[]> & { [MALFORMED]?: string[] };

/** Holds the raw pieces that are not valid percent-encoded UTF-8: reported, never guessed at. */
export const MALFORMED = Symbol('malformed');

/** Splits and decodes a query string; `+` is a space, as forms send it. */
export function parseQueryText(text: string): QueryText {
  const query: QueryText = Object.create(null);
  let start = 0;
  while (start < text.length) {
    let end = text.indexOf('&', start);
    if (end < 0) end = text.length;
    if (end > start) addPiece(query, text.slice(start, end));
    start = end + 1;
  }
  return query;
}

function addPiece(query: QueryText, piece: string): void {
  const equals = piece.indexOf('=');
  const name = decode(equals < 0 ? piece : piece.slice(0, equals));
  const value = equals < 0 ? '' : decode(piece.slice(equals + 1));
  if (name === null || value === null) {
    (query[MALFORMED] ??= []).push(piece);
    return;
  }
  const before = query[name];
  if (before === undefined) query[name] = value;
  else if (typeof before === 'string') query[name] = [before, value];
  else before.push(value);
}

function decode(text: string): string | null {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return null;
  }
}
