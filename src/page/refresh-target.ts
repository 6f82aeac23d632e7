/** A time, then where to: what stands behind `url=`, or behind the separator alone. */
const REFRESH = /^\s*[\d.]+[;,\s]+(?:url\s*=\s*)?(.*)$/is;

/**
 * What `<meta http-equiv=refresh>` leads to, as written; null where the page only reloads itself.
 *
 * Source  HTML standard, shared declarative refresh steps.
 */
export function refreshTarget(content: string): string | null {
  const written = REFRESH.exec(content)?.[1] ?? '';
  const quote = /^["']/.exec(written)?.[0];
  const target = quote === undefined ? written : written.slice(1).split(quote, 1)[0]!;
  return target.trim() === '' ? null : target.trim();
}
