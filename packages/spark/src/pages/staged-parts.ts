import {
  isOfLinks,
  isOfPairs,
  kindOf,
  type Part,
  type PartShares,
  partNames,
} from 'akin-web/rooms/features/parts';

/** What a job has to know of the parts of a build, as it is not to know them by heart. */
interface StagedParts {
  /** Parts whose features stand in the column `words` of the stage `collapse`, by their numbers there. */
  readonly packed: readonly Part[];
  /** The parts that have a share, in order, and what their features are: a group has names of one's own. */
  readonly used: readonly { readonly name: Part; readonly kind: ReturnType<typeof kindOf> }[];
}

/** Words of a page name its features, whatever share they have. */
const ALWAYS_PACKED: readonly Part[] = ['content', 'title', 'anchor'];

export function stagedParts(shares: PartShares): StagedParts {
  const names = partNames(shares);
  return {
    packed: [
      ...ALWAYS_PACKED,
      ...names.filter((name) => !ALWAYS_PACKED.includes(name) && !isOfLinks(name) && !isOfPairs(name)),
    ],
    used: names.map((name) => ({ name, kind: kindOf(name) })),
  };
}
