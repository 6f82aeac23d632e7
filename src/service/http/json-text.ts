/** Half a character, or what else a backslash stands before: whole characters beyond U+FFFF are not escaped. */
const ESCAPE = /\\(?:ud[89a-f][\da-f]{2}|.)/g;

/**
 * A value as JSON that every reader takes: half a character, as a caller may send it (`"\ud83d"`) or a cut may leave it, is
 * written as U+FFFD.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  if (!text.includes('\\ud')) return text;
  return text.replace(ESCAPE, (found) => (found.length > 2 ? '\ufffd' : found));
}
