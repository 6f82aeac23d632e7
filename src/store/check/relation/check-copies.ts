import { sketchWithout } from '../../../join/copies/common-shingles.ts';
import type { CopyClustering } from '../../../join/copies/copy-clusterings.ts';
import { storedFigure, storedFraction } from '../../../join/copies/copy-relation.ts';
import { isCopy } from '../../../join/copies/pair-checks.ts';
import { type CopyMeasure, DEFAULT_SHINGLE_JOIN } from '../../../join/copies/sketch-comparison.ts';
import { type MarkedSketch, markSketch, sharedTemplate } from '../../../join/copies/template-shingles.ts';
import { keptIn } from '../../../lib/kept.ts';
import { EVERY_HOST, joinOptionsOf } from '../../../relations/copy.ts';
import { overlapOf } from '../../../sketch/resemblance.ts';
import { hostOf } from '../../../url/site.ts';
import type { IndexReader } from '../../read/reader.ts';
import { copyParametersOf } from './check-versions.ts';
import type { Checked } from './checked.ts';

const NO_KEYS = new Float64Array(0);

/** Equal shingle sets, and what is compared of them. */
export interface FoldedSketches {
  /** Per page: the number of its group of equals, -1 for an unfetched page. */
  readonly foldedOfPage: Int32Array;
  /** Per group: the sketch of its first page, and what of it is template on that page's host. */
  readonly sketches: readonly MarkedSketch[];
}

export function foldedSketches(reader: IndexReader): FoldedSketches {
  const versionOfPage = reader.versions.allCurrent(reader.pageCount);
  const wanted = new Set(versionOfPage);
  const digests = new Map<number, string>();
  for (const { id, shingleDigest, sketch } of reader.versions.all()) {
    if (wanted.has(id)) digests.set(id, sketch.shingleCount === 0 ? '' : shingleDigest);
  }
  const templateFilter = copyParametersOf(reader)!.template_filter;
  const minimumKeys = copyParametersOf(reader)!.template_minimum_keys;
  const ignored = reader.versions.templateOf(EVERY_HOST);
  const templates = new Map<string, Float64Array>();
  const templateOf = (host: string) => keptIn(templates, host, () => reader.versions.templateOf(host));
  const foldedOfPage = new Int32Array(reader.pageCount).fill(-1);
  const foldedOfDigest = new Map<string, number>();
  const sketches: MarkedSketch[] = [];
  for (const { id, url } of reader.pages()) {
    const version = versionOfPage[id]!;
    if (version < 0) continue;
    const digest = digests.get(version)!;
    const known = digest === '' ? undefined : foldedOfDigest.get(digest);
    foldedOfPage[id] = known ?? sketches.length;
    if (known !== undefined) continue;
    if (digest !== '') foldedOfDigest.set(digest, sketches.length);
    const sketch = sketchWithout(reader.versions.get(version).sketch, ignored);
    const template = templateFilter ? templateOf(hostOf(url)) : NO_KEYS;
    sketches.push(markSketch(sketch, template, minimumKeys));
  }
  return { foldedOfPage, sketches };
}

/** As it is stored; equal pages are equal however little was sampled of them. */
export function figureOf(
  { foldedOfPage, sketches }: FoldedSketches,
  a: number,
  b: number,
  measure: CopyMeasure,
): { shared: number; total: number } {
  const [left, right] = [foldedOfPage[a]!, foldedOfPage[b]!];
  if (left < 0 || right < 0) return { shared: 0, total: 0 };
  if (left === right) {
    const keyCount = Math.max(1, sketches[left]!.keys.length);
    return storedFraction(keyCount, keyCount);
  }
  return storedFigure(sketches[left]!, sketches[right]!, measure);
}

/** Whether two pages are copies of each other by a measure, as the build judged it. */
export function areCopies(
  { foldedOfPage, sketches }: FoldedSketches,
  pageA: number,
  pageB: number,
  clustering: CopyClustering,
): boolean {
  const [left, right] = [foldedOfPage[pageA]!, foldedOfPage[pageB]!];
  if (left < 0 || right < 0) return false;
  if (left === right) return true;
  const [a, b] = [sketches[left]!, sketches[right]!];
  const pair = {
    ...overlapOf(a, b),
    template: sharedTemplate(a, b),
    limitOfA: a.limit,
    limitOfB: b.limit,
  };
  const { minimumSample } = DEFAULT_SHINGLE_JOIN;
  return isCopy(pair, { ...clustering, minimumSample });
}

/** Every stored resemblance is computed again from the two sketches, and whether they are copies at all; a list that is not full holds all equal pages. */
export function checkResemblances({ reader, relation, faults }: Checked, folded: FoldedSketches): void {
  const { measure } = joinOptionsOf(copyParametersOf(reader)!);
  const sizes = new Uint32Array(folded.sketches.length);
  for (const group of folded.foldedOfPage) if (group >= 0) sizes[group]!++;
  const equalOf = new Uint32Array(reader.pageCount);
  for (const { pageId, list } of reader.allNeighbors(relation.id)) {
    for (let i = 0; i < list.ids.length; i++) {
      const other = list.ids[i]!;
      if (other >= reader.ownPageCount) continue;
      const { shared, total } = figureOf(folded, pageId, other, 'resemblance');
      if (list.shared[i] !== shared || list.total[i] !== total) {
        faults.push(
          `pages ${pageId} and ${other} are stored at ${list.shared[i]}/${list.total[i]}, but their sketches give ${shared}/${total}`,
        );
      }
      if (!areCopies(folded, pageId, other, { measure, threshold: relation.floor })) {
        faults.push(`pages ${pageId} and ${other} are listed, but are no copies from ${relation.floor} on`);
      }
      if (folded.foldedOfPage[pageId] === folded.foldedOfPage[other]) equalOf[pageId]!++;
    }
    if (list.ids.length === relation.neighborLimit)
      equalOf[pageId] = sizes[folded.foldedOfPage[pageId]!]! - 1;
  }
  for (const [page, group] of folded.foldedOfPage.entries()) {
    if (group < 0 || equalOf[page] === sizes[group]! - 1) continue;
    faults.push(
      `page ${page} has ${equalOf[page]} equal pages among its neighbors, but there are ${sizes[group]! - 1}`,
    );
  }
}
