/**
 * Whether a later sweep came by a page and did not meet it. A sweep need not be whole: one that brings a page of a shop
 * says nothing of the others. It came by where it met a third of the pages around, or more: those of the site near it in the
 * order of URLs that were read before it and are not gone.
 *
 *   pages around   a   b   c   d   e
 *   sweep 1        x   x   x   x   .
 *   sweep 2        .   .   x   .   x     one of four, a, b and d are what they were
 *   sweep 3        x   x   x   .   x     four of five, d is not seen since
 */
/** Pages are looked at in runs of this many ids: the pages of a run share what is around them. */
const RUN = 64;

/** A page that was read. */
export interface ReadPage {
  readonly siteId: number;
  readonly isGone: boolean;
  /** Ids of the sweeps that met it, ascending. */
  readonly sweeps: readonly number[];
}

/** The ids of the run of a page, ascending. */
export function runOf(pageId: number, pageCount: number): number[] {
  const first = pageId - (pageId % RUN);
  return Array.from({ length: Math.min(RUN, pageCount - first) }, (_, i) => first + i);
}

/** @param run the pages of its run; those that were never read have no sweeps. */
export function isPassedBy({ siteId, sweeps: own }: ReadPage, run: readonly ReadPage[]): boolean {
  const around = run.filter((page) => page.siteId === siteId && !page.isGone && page.sweeps.length > 0);
  const last = own.at(-1)!;
  const later = new Set(around.flatMap(({ sweeps }) => sweeps.filter((sweep) => sweep > last)));
  return [...later].some((sweep) => {
    const known = around.filter(({ sweeps }) => sweeps[0]! < sweep);
    return 3 * known.filter(({ sweeps }) => sweeps.includes(sweep)).length >= known.length;
  });
}
