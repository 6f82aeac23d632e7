import { constants, copyFileSync, rmSync, statSync } from 'node:fs';
import { PARTS, type Part } from '../features/bag.ts';
import { TOPIC_PROFILES, topicRecipe } from '../relations/topic.ts';
import type { SkipReason } from '../sources/record.ts';
import { decodeKeys } from '../store/blobs/sketch-blobs.ts';
import { IndexEditor } from '../store/editor.ts';
import type { IndexReader } from '../store/reader.ts';
import { publishFile } from '../store/writer.ts';
import { type Change, changeIndex } from './add-folder.ts';
import { type AddOptions, type StoredOptions, storedOptions } from './add-options.ts';
import { mergeSweep, type SweepChange, setSweepAside } from './add-pages.ts';
import { completenessOf, type Epoch, nextEpoch } from './add-parameters.ts';
import { changeBags, rewriteClusters, rewriteCopies, savePages, storedVersion } from './add-relations.ts';
import { loadState } from './add-state.ts';
import { bucketCountFor, packageVersion } from './build-index.ts';
import type { BuildListener } from './build-options.ts';
import { bucketName } from './files/bucket-files.ts';
import { StageRunner } from './files/stage-runner.ts';
import type { WorkFolder } from './files/work-folder.ts';
import { forgetPages } from './forget-pages.ts';
import { unpackCopy } from './gather/copy-record.ts';
import { type Gathered, gatherPages } from './gather/gather-pages.ts';
import { insertShingles } from './insert-shingles.ts';
import { TOPIC_RELATION_ID } from './relate/relation-ids.ts';
import { makeBags } from './weigh/bags.ts';
import { loadFeatureTable, restoreFeatures } from './weigh/vocabulary.ts';
import { INDEX_FILE } from './write/write-tables.ts';

/** Stages whose files a killed run leaves behind; the ones after work on the copy and begin anew. */
const RESUMED_STAGES = new Set(['extract', 'collapse', 'merge', 'bags']);

export interface AddReport
  extends Omit<SweepChange, 'bagChanges' | 'newVersions' | 'captured' | 'hiddenUrls'> {
  readonly target: string;
  readonly generation: string;
  readonly sweep: string;
  readonly recordCount: number;
  readonly pageCount: number;
  /** Pages that ask not to be indexed now, and were forgotten. */
  readonly hiddenCount: number;
  /** Texts that no capture had before. */
  readonly newVersionCount: number;
  /** Topic lists that are others now, and pages that were searched anew for it. */
  readonly touchedListCount: number;
  readonly searchedCount: number;
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  readonly epoch: Epoch;
  readonly indexBytes: number;
  readonly durationMs: number;
  readonly stages: readonly { name: string; recordCount: number; durationMs: number }[];
}

/**
 * Merges one more sweep into an index: its pages are compared with what is there, and only what changed is
 * sketched, compared and written. All happens on a copy, which takes the place of the index by one rename.
 *
 * The words known, their document frequencies and the anchor parts of the pages that are there stay as the full
 * build made them.
 *
 * Errors  InputError for inputs or an index that cannot be used, TransientError for a full disk or a change of
 *         the same index under way. The index is untouched then, and what is extracted is kept for the next call.
 */
export function addSweep(options: AddOptions, listener: BuildListener): Promise<AddReport> {
  const startedAtMs = Date.now();
  return changeIndex(
    options.target,
    (reader) => storedOptions(reader, options, options),
    (change) => runStages(change, listener, startedAtMs),
  );
}

async function runStages(
  { options, reader, folder }: Change,
  listener: BuildListener,
  startedAtMs: number,
): Promise<AddReport> {
  for (const { name } of folder.stages()) if (!RESUMED_STAGES.has(name)) folder.forget(name);
  const stages = new StageRunner(folder, listener);
  const gathered = await gatherPages(
    options,
    folder,
    stages,
    listener,
    bucketCountFor(options),
    reader.versions.digests(),
  );
  const { extracted } = gathered;
  await weighPages(options, reader, folder, gathered, stages);

  setSweepAside(folder);
  const path = folder.file(INDEX_FILE);
  rmSync(path, { force: true });
  copyFileSync(options.target, path, constants.COPYFILE_FICLONE);
  const editor = new IndexEditor(path, 'kept');
  try {
    const sweepId = (reader.sweeps().at(-1)?.id ?? 0) + 1;
    const state = loadState(reader);
    const before = state.bags.slice();
    const change = await stages.run(
      'pages',
      { unit: 'pages', total: null },
      () => mergeSweep(editor, reader, folder, state, sweepId),
      (result) => result.captureCount,
    );
    editor.sweep({
      id: sweepId,
      name: options.sweepName,
      recordCount: extracted.recordCount,
      startedAtMs: folder.startedAtMs,
    });
    for (const [reason, count] of Object.entries(extracted.skipped)) editor.skip(sweepId, reason, count);

    const { bagChanges, newVersions } = change;
    const lists = await stages.run(
      'neighbours',
      { unit: 'pages', total: null },
      () => changeBags(editor, state, before, bagChanges, options, completenessOf(reader)),
      (report) => report.touched.length,
    );
    const isOther = bagChanges.size > 0 || change.changedCount + change.newCount > 0;
    if (isOther) {
      await stages.run(
        'clusters',
        { unit: 'pages', total: state.pages.length },
        () => rewriteClusters(editor, folder, state, options),
        (count) => count,
      );
      if (options.copies) {
        await stages.run(
          'copies',
          { unit: 'pages', total: null },
          () => {
            savePages(folder, state, (id) => newVersions.get(id) ?? storedVersion(reader, id));
            return rewriteCopies(editor, folder, options);
          },
          (count) => count,
        );
      }
      if (options.copies && newVersions.size > 0) {
        await stages.run(
          'shingles',
          { unit: 'versions', total: newVersions.size },
          () => {
            const keys = Array.from(
              newVersions,
              ([id, { copy }]) => [id, decodeKeys(unpackCopy(copy).keys)] as const,
            );
            insertShingles(editor, keys);
          },
          () => newVersions.size,
        );
      }
    }
    const epoch = nextEpoch(reader, { added: state.pages.length - reader.pageCount, sweeps: 1 });
    const generation = await stages.run(
      'write',
      { unit: 'pages', total: null },
      () => {
        const startedAt = performance.now();
        const what = `add ${options.sweepName}:`;
        editor.parameter('epoch', epoch);
        editor.parameter('neighbours', lists.completeness);
        const id = editor.changeStages(what, stages.finished());
        return editor.finish(Date.now(), packageVersion, () => ({
          id,
          name: `${what} write`,
          recordCount: state.pages.length,
          durationMs: performance.now() - startedAt,
        }));
      },
      () => state.pages.length,
    );
    const { hiddenUrls, bagChanges: _bags, newVersions: _versions, captured: _pages, ...counts } = change;
    const hidden = hiddenUrls.length > 0 ? forgetPages(path, folder, options, hiddenUrls) : null;
    publishFile(hidden?.path ?? path, options.target);
    return {
      ...counts,
      target: options.target,
      generation: hidden?.generation ?? generation,
      sweep: options.sweepName,
      recordCount: extracted.recordCount,
      pageCount: hidden?.pageCount ?? state.pages.length,
      hiddenCount: hiddenUrls.length,
      newVersionCount: newVersions.size,
      touchedListCount: lists.touched.length,
      searchedCount: lists.searchedCount,
      skipped: extracted.skipped,
      epoch,
      indexBytes: statSync(options.target).size,
      durationMs: Date.now() - startedAtMs,
      stages: stages.finished(),
    };
  } catch (error) {
    editor.abandon();
    throw error;
  }
}

/** Leaves the bags of the sweep by the features of the index. */
async function weighPages(
  options: StoredOptions,
  reader: IndexReader,
  folder: WorkFolder,
  { extracted, pageCount }: Gathered,
  stages: StageRunner,
): Promise<void> {
  // Features are named already.
  for (let bucket = 0; bucket < extracted.bucketCount; bucket++) folder.remove(bucketName('forms', bucket));
  await stages.run(
    'bags',
    { unit: 'pages', total: pageCount },
    (progress) => {
      restoreFeatures(folder, reader.allFeatures(TOPIC_RELATION_ID));
      const profile = TOPIC_PROFILES[options.profile];
      const recipe = topicRecipe(profile, options.bag);
      const counts = PARTS.map((part) => [part, reader.partPageCount(TOPIC_RELATION_ID, part)] as const);
      const partPageCounts = Object.fromEntries(counts) as Record<Part, number>;
      const table = loadFeatureTable(folder);
      return makeBags(folder, table, partPageCounts, recipe, profile.titleInAnchor, progress);
    },
    () => pageCount,
  );
}
