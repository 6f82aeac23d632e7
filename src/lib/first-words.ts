import { cutText } from './cut-text.ts';

/** The first words of a line, at most so many units: cut at a space where one stands in the second half, and never within a pair of surrogates. */
export function firstWords(line: string, maxLength: number): string {
  const space = line.lastIndexOf(' ', maxLength);
  if (space > maxLength / 2) return line.slice(0, space);
  return cutText(line, maxLength);
}
