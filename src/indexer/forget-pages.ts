import { constants, copyFileSync, rmSync } from 'node:fs';
import { buildPostings } from '../join/exact/postings.ts';
import { updateNeighbours } from '../join/update-neighbours.ts';
import { IndexEditor } from '../store/editor.ts';
import { IndexReader } from '../store/reader.ts';
import type { StoredOptions } from './add-options.ts';
import { nextEpoch } from './add-parameters.ts';
import {
  rewriteClusters,
  rewriteCopies,
  rewriteShingles,
  savePages,
  storedVersion,
} from './add-relations.ts';
import { type IndexState, inLinkCounts, loadState, matrixOf, NO_BAG, tableOf } from './add-state.ts';
import { packageVersion } from './build-index.ts';
import type { WorkFolder } from './files/work-folder.ts';
import { TOPIC_RELATION_ID } from './relate/relation-ids.ts';
import { restoreFeatures } from './weigh/vocabulary.ts';
import { writeBags, writeNeighbours, writePostings } from './write/write-index.ts';

const FORGOTTEN_FILE = 'forgotten.sqlite';

export interface Forgotten {
  /** The new file, in the work folder. */
  readonly path: string;
  readonly generation: string;
  readonly pageCount: number;
  readonly forgottenPageCount: number;
  readonly forgottenAliasCount: number;
  readonly forgottenVersionCount: number;
}

/**
 * Takes pages and aliases out of a finished index, into a new file in which no byte of them is left.
 *
 * The pages behind a gap move down, in order, so ids stay dense; this touches every list of ids, and costs one
 * pass over the index whatever the number of pages. Lists that lose a page are filled up exactly.
 *
 * What stays until a rebuild: words in the vocabulary, and what the page's links said of others in their anchor parts.
 */
export function forgetPages(
  from: string,
  folder: WorkFolder,
  options: StoredOptions,
  urls: readonly string[],
): Forgotten {
  const reader = IndexReader.open(from);
  const path = folder.file(FORGOTTEN_FILE);
  rmSync(path, { force: true });
  copyFileSync(from, path, constants.COPYFILE_FICLONE);
  const editor = new IndexEditor(path, 'renewed');
  try {
    const state = loadState(reader);
    const idOf = new Map(state.pages.map(({ id, url }) => [url, id]));
    const pages = new Set(urls.flatMap((url) => idOf.get(url) ?? []));
    const aliases = urls.filter((url) => reader.alias(url) !== null);
    for (const url of aliases) editor.removeAlias(url);
    emptyPages(state, pages, options);
    const newIds = renumbering(state, pages);
    const newVersions = editor.removePages(newIds);
    const kept = without(state, newIds, newVersions);
    writeKept(editor, kept, options);

    restoreFeatures(folder, reader.allFeatures(TOPIC_RELATION_ID));
    const oldVersionOf = Int32Array.from(newVersions.filter((id) => id >= 0));
    for (const [old, id] of newVersions.entries()) if (id >= 0) oldVersionOf[id] = old;
    savePages(folder, kept, (id) => storedVersion(reader, oldVersionOf[id]!));
    rewriteClusters(editor, folder, kept, options);
    if (options.copies) {
      rewriteCopies(editor, folder, options);
      const keys = function* () {
        for (const { id, sketch } of reader.versions.all()) if (newVersions[id]! >= 0) yield sketch.keys;
      };
      rewriteShingles(editor, keys(), options);
    }
    editor.parameter('epoch', nextEpoch(reader, { forgotten: pages.size }));
    editor.compact();
    const generation = editor.finish(Date.now(), packageVersion);
    return {
      path,
      generation,
      pageCount: kept.pages.length,
      forgottenPageCount: pages.size,
      forgottenAliasCount: aliases.length,
      forgottenVersionCount: newVersions.filter((id) => id < 0).length,
    };
  } catch (error) {
    editor.abandon();
    throw error;
  } finally {
    reader.close();
  }
}

/** Nothing is related to the pages any more; the lists that held one are filled up. */
function emptyPages(state: IndexState, pages: ReadonlySet<number>, options: StoredOptions): void {
  for (const page of pages) state.bags[page] = NO_BAG;
  const matrix = matrixOf(state);
  const { neighbourLimit: k, floor } = options;
  updateNeighbours(matrix, buildPostings(matrix), state.lists, pages, { k, floor });
}

function renumbering(state: IndexState, pages: ReadonlySet<number>): Int32Array {
  let next = 0;
  return Int32Array.from(state.pages, ({ id }) => (pages.has(id) ? -1 : next++));
}

/** The state under the new numbers; order is kept, so what ascended still does. */
function without(state: IndexState, newIds: Int32Array, newVersions: Int32Array): IndexState {
  const isKept = (_: unknown, id: number) => newIds[id]! >= 0;
  const links = state.links
    .filter(isKept)
    .map((targets) => targets.filter((id) => newIds[id]! >= 0).map((id) => newIds[id]!));
  const inLinks = inLinkCounts(links);
  return {
    pages: state.pages.filter(isKept).map((page, id) => ({ ...page, id, inLinkCount: inLinks[id]! })),
    bags: state.bags.filter(isKept),
    lists: state.lists.filter(isKept).map((list) => ({ ...list, ids: list.ids.map((id) => newIds[id]!) })),
    links,
    versions: state.versions.filter(isKept).map((version) => (version < 0 ? -1 : newVersions[version]!)),
    featureCount: state.featureCount,
  };
}

/** What speaks of pages by their numbers. */
function writeKept(editor: IndexEditor, state: IndexState, options: StoredOptions): void {
  for (const [id, page] of state.pages.entries()) {
    editor.page({ ...page, siteId: editor.siteId(page.site) });
    if (state.links[id]!.length > 0) editor.links(id, state.links[id]!);
    else editor.removeLinks(id);
  }
  editor.clearNeighbours(TOPIC_RELATION_ID);
  editor.clearPostings(TOPIC_RELATION_ID);
  const matrix = matrixOf(state);
  writeBags(editor, TOPIC_RELATION_ID, matrix);
  writePostings(editor, TOPIC_RELATION_ID, matrix, options.memoryBytes / 4);
  writeNeighbours(editor, TOPIC_RELATION_ID, [tableOf(state, options.neighbourLimit)]);
}
