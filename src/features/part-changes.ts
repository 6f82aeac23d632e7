import { type Part, type PartShares, partNames } from './parts.ts';

/** What every page has: the lists of pages without in-links hang on it, whatever a judge of the others says. */
const KEPT: Part = 'content';
const LEAST_KEPT = 0.3;
/** Shares that a part begins with which had none. */
const FIRST_SHARES = [0.05, 0.1];
/** A part is not made smaller than that, but dropped. */
const LEAST_SHARE = 0.02;
const DIGITS = 1e4;

interface PartChange {
  readonly name: string;
  readonly shares: PartShares;
}

/** Each part up and down: doubled, halved, dropped, or begun; the others share the rest as they did. */
export function partChanges(shares: PartShares, available: readonly Part[]): PartChange[] {
  return available.flatMap((part) => {
    const share = shares[part] ?? 0;
    return targetsOf(part, share).flatMap((target) => {
      const changed = withShare(shares, part, target);
      return changed === null ? [] : [{ name: `${part} ${share} to ${changed[part] ?? 0}`, shares: changed }];
    });
  });
}

function targetsOf(part: Part, share: number): number[] {
  if (share === 0) return FIRST_SHARES;
  const up = [Math.min(2 * share, (1 + share) / 2)];
  const down = share / 2 >= (part === KEPT ? LEAST_KEPT : LEAST_SHARE) ? [share / 2] : [];
  return part === KEPT ? [...up, ...down] : [...up, ...down, 0];
}

/** Null where nothing else is there, or too little would be left of what every page has. */
function withShare(shares: PartShares, part: Part, target: number): PartShares | null {
  const others = partNames(shares).filter((name) => name !== part);
  const rest = others.reduce((sum, name) => sum + shares[name]!, 0);
  const kept = part === KEPT ? target : ((shares[KEPT] ?? 0) * (1 - target)) / rest;
  if (rest === 0 || (part !== KEPT && kept < LEAST_KEPT && kept < (shares[KEPT] ?? 0))) return null;
  const changed: Record<Part, number> = { [part]: rounded(target) };
  for (const name of others) changed[name] = rounded((shares[name]! * (1 - target)) / rest);
  return Object.fromEntries(partNames(changed).map((name) => [name, changed[name]!]));
}

function rounded(share: number): number {
  return Math.round(share * DIGITS) / DIGITS;
}
