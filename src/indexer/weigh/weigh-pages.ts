import { optionFault } from '../../errors.ts';
import { isGroup, isOfLinks, PARTS, type PartShares, partNames, usedShares } from '../../features/parts.ts';
import { TOPIC_PROFILES, topicRecipe } from '../../relations/topic.ts';
import { divideMemory } from '../files/budget.ts';
import { FEATURES, formsOfBucket } from '../files/records/stage-files.ts';
import type { Stages } from '../files/stage-runner.ts';
import { isIndexInput } from '../gather/extract/index-input.ts';
import type { Gathered } from '../gather/gather-pages.ts';
import type { BuildTask, InputOptions } from '../options/build-options.ts';
import { makeBags } from './bags.ts';
import { countFrequencies } from './frequencies.ts';
import { writeLinkRows } from './link-rows.ts';
import { countGroups } from './part-counts.ts';
import { nameFeatures } from './vocabulary.ts';

interface WeighedFeatures {
  readonly count: number;
  readonly partPageCounts: readonly number[];
  /** Shares, where parts that no page has leave theirs to the others. */
  readonly used: PartShares;
  /** Pages that have features of each group. */
  readonly groups: Readonly<Record<string, number>>;
}

/** The stages between the pages of all inputs and the bag of each. */
export async function weighPages(
  input: InputOptions,
  options: BuildTask,
  stages: Stages,
  { extracted, pageCount }: Gathered,
): Promise<WeighedFeatures> {
  const { folder } = stages;
  const profile = TOPIC_PROFILES[options.profile];
  const budget = divideMemory(stages.resources.memoryBytes);
  const parts = partNames(options.parts);
  const pages = { folder, parts, titleInAnchor: profile.titleInAnchor };
  const { bucketCount } = extracted;
  const features = await stages.run<WeighedFeatures>(
    'features',
    { unit: 'features', total: null },
    () => {
      if (parts.some(isOfLinks)) writeLinkRows(folder, pageCount, budget.linkRows.links);
      const table = countFrequencies(pages, options, budget.frequencies.tables);
      FEATURES.write(folder, table);
      nameFeatures(folder, table, parts, bucketCount, budget.names.forms);
      const { partPageCounts } = table;
      if (!input.mayBeEmpty && !input.inputs.some(isIndexInput)) requireKnown(parts, partPageCounts);
      const used = usedShares(options.parts, (part) => partPageCounts[parts.indexOf(part)] === 0);
      const groups = extracted.hasFeatures ? countGroups(folder) : {};
      return { count: table.keys.length, partPageCounts, used, groups };
    },
    (result) => result.count,
  );
  for (let bucket = 0; bucket < bucketCount; bucket++) folder.remove(formsOfBucket(bucket).name);

  await stages.run(
    'bags',
    { unit: 'pages', total: pageCount },
    (progress) => {
      const table = { ...FEATURES.read(folder), partPageCounts: features.partPageCounts };
      makeBags(pages, table, topicRecipe(profile, features.used), progress);
    },
    () => pageCount,
  );
  return features;
}

/** Errors  InputError AKIN_ERR_OPTION for a part that is none of the built-in ones, nor a group that some page has. */
function requireKnown(parts: readonly string[], pageCounts: readonly number[]): void {
  const unknown = parts.filter((part, i) => isGroup(part) && pageCounts[i] === 0);
  if (unknown.length === 0) return;
  throw optionFault(
    `--parts: no page has features of the group ${unknown.join(', ')}`,
    `the parts that need no features of your own are ${PARTS.join(', ')}; groups come with JSONL records`,
  );
}
