/** `en-US`, `en_US`, `en, de` -> `en`; null for `und`, `x-...` and what is no language tag (BCP 47). */
export function primarySubtag(tag: string | null | undefined): string | null {
  const found = /^\s*([a-z]{2,8})(?:[^a-z\d]|$)/i.exec(tag ?? '');
  const subtag = found?.[1]?.toLowerCase() ?? 'und';
  return subtag === 'und' ? null : subtag;
}
