import type { PageFacts } from '../join/copies/pair-checks.ts';
import { copyParameters } from '../relations/copy.ts';
import type { ShingleSketch } from '../sketch/shingle-sketch.ts';
import { type SketchTable, tableOf } from '../sketch/sketch-table.ts';
import { SIMHASH_LANES } from '../sketch/word-simhash.ts';
import { decodeKeys } from '../store/blobs/sketch-blobs.ts';
import type { IndexReader } from '../store/reader.ts';
import { hostOf } from '../url/site.ts';
import type { SweepChange } from './add-pages.ts';
import type { IndexState } from './add-state.ts';
import type { BuildOptions } from './build-options.ts';
import { unpackCopy } from './gather/copy-record.ts';
import { NONE } from './relate/copies.ts';

/** Versions that pages have now with equal ones folded, as a full build folds them. */
export interface FoldedVersions {
  /** Uint32Array(pages): `NONE` for one that was never read. */
  readonly foldedOfPage: Uint32Array;
  /** By shingle digest; empty ones are in none. */
  readonly byDigest: ReadonlyMap<string, number>;
  /** Whole sketches. */
  readonly table: SketchTable;
  /** Of the first page of each fold; its host is the site. */
  readonly facts: PageFacts;
  readonly hostNames: readonly string[];
}

/** What of a version tells its copies. */
interface Sketched {
  readonly shingleDigest: string;
  readonly sketch: ShingleSketch;
  readonly simhash: Uint32Array | null;
}

/** Folds the current versions, in page order. Cost  one pass over the sketches of all versions. */
export function foldVersions(
  reader: IndexReader,
  state: IndexState,
  newVersions: SweepChange['newVersions'],
  options: BuildOptions,
): FoldedVersions {
  const versions = currentVersions(reader, state, newVersions);
  const foldedOfPage = new Uint32Array(state.pages.length).fill(NONE);
  const byDigest = new Map<string, number>();
  const heads: { page: number; version: Sketched }[] = [];
  for (const [page, id] of state.versions.entries()) {
    if (id < 0) continue;
    const version = versions.get(id)!;
    // A page without a shingle is a copy of none.
    const known = version.sketch.shingleCount === 0 ? undefined : byDigest.get(version.shingleDigest);
    foldedOfPage[page] = known ?? heads.length;
    if (known !== undefined) continue;
    if (version.sketch.shingleCount > 0) byDigest.set(version.shingleDigest, heads.length);
    heads.push({ page, version });
  }
  const hosts = new Map<string, number>();
  const languages = new Map([['', 0]]);
  const siteOfPage = Uint32Array.from(heads, ({ page }) => idOf(hosts, hostOf(state.pages[page]!.url)));
  const languageOfPage = Uint32Array.from(heads, ({ page }) =>
    idOf(languages, state.pages[page]!.lang ?? ''),
  );
  const simhashes = new Uint32Array(options.sameSiteBits > 0 ? heads.length * SIMHASH_LANES : 0);
  if (options.sameSiteBits > 0) {
    for (const [i, { version }] of heads.entries()) simhashes.set(version.simhash!, i * SIMHASH_LANES);
  }
  const { language_check: checksLanguage } = copyParameters(options);
  return {
    foldedOfPage,
    byDigest,
    table: tableOf(heads.map(({ version }) => version.sketch)),
    facts: {
      siteOfPage,
      ...(checksLanguage && { languageOfPage }),
      ...(options.sameSiteBits > 0 && { simhashes }),
    },
    hostNames: [...hosts.keys()],
  };
}

/** By id, those stored and those that the sweep brought. */
function currentVersions(
  reader: IndexReader,
  state: IndexState,
  newVersions: SweepChange['newVersions'],
): Map<number, Sketched> {
  const isCurrent = new Set(state.versions);
  const versions = new Map<number, Sketched>();
  for (const version of reader.versions.all()) {
    if (isCurrent.has(version.id)) versions.set(version.id, version);
  }
  for (const [id, { copy }] of newVersions) {
    const { shingleDigest, limit, shingleCount, keys, simhash } = unpackCopy(copy);
    const sketch = { keys: decodeKeys(keys), limit, shingleCount };
    versions.set(id, { shingleDigest: Buffer.from(shingleDigest).toString('hex'), sketch, simhash });
  }
  return versions;
}

function idOf(ids: Map<string, number>, name: string): number {
  const known = ids.get(name);
  if (known !== undefined) return known;
  ids.set(name, ids.size);
  return ids.size - 1;
}
