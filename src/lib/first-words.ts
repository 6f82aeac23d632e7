/** The first words of a line, at most so many units: cut at a space where one stands in the second half, and never within a pair of surrogates. */
export function firstWords(line: string, maxLength: number): string {
  const space = line.lastIndexOf(' ', maxLength);
  if (space > maxLength / 2) return line.slice(0, space);
  const unit = line.charCodeAt(maxLength);
  return line.slice(0, unit >= 0xdc00 && unit < 0xe000 ? maxLength - 1 : maxLength);
}
