import { existsSync, renameSync } from 'node:fs';
import type { Bag } from '../features/bag.ts';
import { KeyTable, key53 } from '../lib/key-table.ts';
import type { IndexEditor } from '../store/editor.ts';
import type { IndexReader } from '../store/reader.ts';
import { siteOf } from '../url/site.ts';
import { appendPage, type IndexState, inLinkCounts, NO_BAG } from './add-state.ts';
import { readArray } from './files/array-file.ts';
import { ByteReader } from './files/bytes.ts';
import { readRecords } from './files/record-file.ts';
import type { WorkFolder } from './files/work-folder.ts';
import { readAbsent } from './gather/absent-urls.ts';
import { Aliases } from './gather/aliases.ts';
import { type CollapsedRecord, readCollapsed } from './gather/collapsed-record.ts';
import { unpackCopy } from './gather/copy-record.ts';
import { PAGES_FILE } from './gather/merge.ts';
import type { PageRecord } from './gather/page-record.ts';
import { bagOfRow, isSameBag, withAnchorOf } from './sweep-bags.ts';
import { loadBags } from './weigh/bags.ts';
import { countTargets, targetsOf } from './write/write-index.ts';

const SWEEP_PAGES_FILE = 'sweep-pages';

/** What a sweep brought. Every capture is unchanged, changed, or of a page that had none before. */
export interface SweepChange {
  readonly captureCount: number;
  /** Captures with the text that the page had before. */
  unchangedCount: number;
  /** Captures with another text than the page had before. */
  changedCount: number;
  /** Pages that were captured for the first time. */
  newCount: number;
  /** Pages known by links alone that are new. */
  linkedCount: number;
  /** Pages that are gone, or lead elsewhere now. */
  goneCount: number;
  /** Pages whose bag is another one now, the new ones included. */
  readonly bagChanges: Set<number>;
  /** Texts that no capture had before: as `packCopy` makes them, without what is not needed to compare. */
  readonly newVersions: Map<number, { readonly textDigest: Uint8Array; readonly copy: Uint8Array }>;
  /** Pages of the captures. */
  readonly captured: Set<number>;
  /** Pages that ask not to be indexed now. */
  readonly hiddenUrls: string[];
}

/** Makes room for the pages of the whole index under the name that the stages read. */
export function setSweepAside(folder: WorkFolder): void {
  if (!existsSync(folder.file(SWEEP_PAGES_FILE))) {
    renameSync(folder.file(PAGES_FILE), folder.file(SWEEP_PAGES_FILE));
  }
}

function* sweepPages(folder: WorkFolder): IterableIterator<CollapsedRecord> {
  for (const bytes of readRecords(folder.file(SWEEP_PAGES_FILE))) yield readCollapsed(new ByteReader(bytes));
}

/**
 * Merges the collapsed pages of a sweep into the index: captures and their versions, pages behind those that are
 * there, aliases and links. Writes all rows but those of the relations.
 *
 * A page that is gone, or that leads elsewhere now, keeps its row, its captures and its texts, so that it can be
 * found and compared; its bag is emptied, so that nothing is related to it, and its links are dropped. It comes
 * back as a new page would. A bag takes its anchor part from the sweep that brought the page, and keeps it.
 */
export function mergeSweep(
  editor: IndexEditor,
  reader: IndexReader,
  folder: WorkFolder,
  state: IndexState,
  sweepId: number,
): SweepChange {
  const merge = new SweepMerge(editor, reader, folder, state, sweepId);
  const fresh = loadBags(folder);
  let row = 0;
  for (const record of sweepPages(folder)) merge.take(record, bagOfRow(fresh, row++));
  merge.takeAliases(new Aliases(folder));
  merge.takeAbsent();
  for (const { url, page } of sweepPages(folder)) if (page !== null) merge.link(url, page);
  merge.writePages();
  return merge.change;
}

class SweepMerge {
  readonly change: SweepChange & { captureCount: number } = {
    captureCount: 0,
    unchangedCount: 0,
    changedCount: 0,
    newCount: 0,
    linkedCount: 0,
    goneCount: 0,
    bagChanges: new Set(),
    newVersions: new Map(),
    captured: new Set(),
    hiddenUrls: [],
  };
  readonly #editor: IndexEditor;
  readonly #reader: IndexReader;
  readonly #folder: WorkFolder;
  readonly #state: IndexState;
  readonly #sweepId: number;
  readonly #idOf = new Map<string, number>();
  readonly #aliases = new Map<string, number>();
  readonly #hasCopies: boolean;
  readonly #digests: Uint8Array[];
  readonly #partOfFeature: Uint8Array;
  readonly #dirty = new Set<number>();
  readonly #newVersionOf = new Map<string, number>();
  #keys: KeyTable | undefined;

  constructor(
    editor: IndexEditor,
    reader: IndexReader,
    folder: WorkFolder,
    state: IndexState,
    sweepId: number,
  ) {
    this.#editor = editor;
    this.#reader = reader;
    this.#folder = folder;
    this.#state = state;
    this.#sweepId = sweepId;
    this.#hasCopies = reader.relation('copy') !== undefined;
    this.#digests = reader.textDigests();
    this.#partOfFeature = readArray(folder.file('feature-parts'), Uint8Array);
    for (const { id, url } of state.pages) this.#idOf.set(url, id);
    for (const { url, pageId } of reader.allAliases()) this.#aliases.set(url, pageId);
  }

  take({ url, title, page }: CollapsedRecord, fresh: Bag): void {
    const known = this.#idOf.get(url);
    if (page === null) {
      // What links say of a page that is known already is not counted again.
      if (known !== undefined || this.#aliases.has(url)) return;
      this.change.linkedCount++;
      this.#setBag(this.#append(url, title), fresh);
      return;
    }
    if (this.#aliases.delete(url)) this.#editor.removeAlias(url);
    const id = known ?? this.#append(url, title);
    this.change.captured.add(id);
    if (known !== undefined) this.#editor.removeGone(id);
    const before = this.#digests[id] ?? new Uint8Array(0);
    const isSame = Buffer.compare(before, page.textDigest) === 0;
    if (isSame) this.change.unchangedCount++;
    else if (before.length > 0) this.change.changedCount++;
    else this.change.newCount++;
    this.change.captureCount++;
    this.#capture(id, page, isSame);
    const row = this.#state.pages[id]!;
    const next = { ...row, title, lang: page.lang || null, fetched: true, wordCount: page.wordCount };
    if (
      row.title !== next.title ||
      row.lang !== next.lang ||
      !row.fetched ||
      row.wordCount !== next.wordCount
    ) {
      this.#state.pages[id] = next;
      this.#dirty.add(id);
    }
    const stored = this.#state.bags[id]!;
    if (stored.features.length === 0) this.#setBag(id, fresh);
    else if (!isSame) this.#setBag(id, withAnchorOf(stored, fresh, this.#partOfFeature));
  }

  #append(url: string, title: string): number {
    const id = appendPage(this.#state, {
      url,
      site: siteOf(url),
      title,
      lang: null,
      fetched: false,
      wordCount: 0,
      inLinkCount: 0,
      outLinkCount: 0,
    });
    this.#idOf.set(url, id);
    this.#dirty.add(id);
    this.change.bagChanges.add(id);
    return id;
  }

  #capture(id: number, page: PageRecord, isSame: boolean): void {
    if (this.#hasCopies && !isSame) this.#state.versions[id] = this.#versionOf(page);
    const versionId = this.#hasCopies ? this.#state.versions[id]! : null;
    this.#editor.capture({ ...page, pageId: id, sweepId: this.#sweepId, versionId });
  }

  #versionOf(page: PageRecord): number {
    const digest = Buffer.from(page.textDigest).toString('hex');
    const stored = this.#reader.versions.find(digest);
    if (stored >= 0) return stored;
    const known = this.#newVersionOf.get(digest);
    if (known !== undefined) return known;
    const id = this.#reader.versions.count + this.#newVersionOf.size;
    this.#newVersionOf.set(digest, id);
    const copy = unpackCopy(page.copy);
    this.#editor.version({ ...copy, id, textDigest: page.textDigest });
    if (copy.text !== null) this.#editor.versionText(id, copy.text);
    const withoutText = Uint8Array.from(page.copy.subarray(0, page.copy.length - (copy.text?.length ?? 0)));
    this.change.newVersions.set(id, { textDigest: page.textDigest, copy: withoutText });
    return id;
  }

  #setBag(id: number, bag: Bag): void {
    if (isSameBag(this.#state.bags[id]!, bag)) return;
    this.#state.bags[id] = bag;
    this.change.bagChanges.add(id);
  }

  takeAliases(aliases: Aliases): void {
    for (const [url, to, kind] of aliases.all()) {
      const own = this.#idOf.get(url);
      const target = this.#idOf.get(to) ?? this.#aliases.get(to);
      if (own !== undefined) this.#leave(own);
      if (target === undefined || target === own) continue;
      this.#aliases.set(url, target);
      this.#editor.alias(url, target, kind);
    }
  }

  takeAbsent(): void {
    const { gone, hidden } = readAbsent(this.#folder);
    const lost = (url: string) => {
      const id = this.#idOf.get(url);
      return id !== undefined && !this.change.captured.has(id) ? id : undefined;
    };
    for (const [url, goneAtMs] of gone) {
      const id = lost(url);
      if (id === undefined) continue;
      const seenAtMs = this.#reader.captures(id).at(-1)?.fetchedAtMs ?? 0;
      // An answer older than the page that is there says nothing of it.
      if (goneAtMs === null || goneAtMs >= seenAtMs) this.#leave(id);
    }
    this.change.hiddenUrls.push(...hidden.filter((url) => lost(url) !== undefined));
  }

  #leave(id: number): void {
    const isThere = this.#state.bags[id]!.features.length > 0 || this.#state.links[id]!.length > 0;
    if (isThere) this.change.goneCount++;
    this.#editor.gone(id, this.#sweepId);
    this.#setBag(id, NO_BAG);
    this.#setLinks(id, new Uint32Array(0), 0);
  }

  /** All pages and aliases must be known by now. */
  link(url: string, page: PageRecord): void {
    this.#keys ??= this.#allKeys();
    const id = this.#idOf.get(url)!;
    const targets = Uint32Array.from(targetsOf(page.links, this.#keys, id));
    this.#setLinks(id, targets, countTargets(page.links, this.#keys, id));
  }

  /** A page that leads elsewhere is an alias first. */
  #allKeys(): KeyTable {
    const keys = new KeyTable(this.#idOf.size + this.#aliases.size);
    for (const [url, id] of this.#idOf) keys.set(key53(url), id);
    for (const [url, id] of this.#aliases) keys.set(key53(url), id);
    return keys;
  }

  #setLinks(id: number, targets: Uint32Array, outLinkCount: number): void {
    const before = this.#state.links[id]!;
    if (before.length !== targets.length || before.some((target, i) => target !== targets[i])) {
      this.#state.links[id] = targets;
      if (targets.length > 0) this.#editor.links(id, targets);
      else this.#editor.removeLinks(id);
    }
    if (this.#state.pages[id]!.outLinkCount !== outLinkCount) {
      this.#state.pages[id] = { ...this.#state.pages[id]!, outLinkCount };
      this.#dirty.add(id);
    }
  }

  /** Writes the rows of pages that are another one now, in-link counts included. */
  writePages(): void {
    const { pages } = this.#state;
    const inLinks = inLinkCounts(this.#state.links);
    for (const [id, page] of pages.entries()) {
      if (page.inLinkCount !== inLinks[id]) pages[id] = { ...page, inLinkCount: inLinks[id]! };
      else if (!this.#dirty.has(id)) continue;
      this.#editor.page({ ...pages[id]!, siteId: this.#editor.siteId(page.site) });
    }
  }
}
