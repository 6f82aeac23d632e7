/** `en-US`, `en_US`, `en, de` -> `en`; null for `und`, `x-...` and what is no language tag (BCP 47; it has no subtags of four letters). */
export function primarySubtag(tag: string | null | undefined): string | null {
  const found = /^\s*([a-z]{2,3}|[a-z]{5,8})(?:[-_,;\s]|$)/i.exec(tag ?? '');
  const subtag = found?.[1]?.toLowerCase() ?? 'und';
  return subtag === 'und' ? null : subtag;
}
