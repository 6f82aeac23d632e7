import { formatParts, PARTS_FORM, parseParts } from '../../features/parts.ts';
import { PROFILES } from '../../indexer/options/build-options.ts';
import { TOPIC_PROFILES } from '../../relations/topic.ts';
import { bytes, choice, fraction, integer, type Knob, text, toggle } from './knob.ts';

const MIB = 2 ** 20;
const GIB = 2 ** 30;

/** Its value is the text that `parseParts` reads. */
const PARTS_KNOB: Knob<string> = {
  flag: '--parts',
  env: 'AKIN_PARTS',
  placeholder: 'SHARES',
  default: {
    akin: formatParts(TOPIC_PROFILES.akin.parts),
    haveliwala2000: formatParts(TOPIC_PROFILES.haveliwala2000.parts),
  },
  allowed: PARTS_FORM,
  unit: '',
  doc: 'what a page is described by, and how much of its weight each part gets; content alone: --parts content',
  parse: (text) => {
    const parts = parseParts(text);
    return parts && formatParts(parts);
  },
};

/** Settings of a build, except those of copies. */
export const BUILD_KNOBS = {
  profile: choice({
    flag: '--profile',
    env: 'AKIN_PROFILE',
    choices: PROFILES,
    default: 'akin',
    doc: 'the method: akin (best measured), or haveliwala2000 (as printed in the paper)',
  }),
  parts: PARTS_KNOB,
  memoryBytes: bytes({
    flag: '--memory',
    env: 'AKIN_MEMORY',
    default: GIB,
    min: 64 * MIB,
    max: 1024 * GIB,
    doc: "budget of the build's tables and buffers; a smaller one means more passes over the disk",
  }),
  workerCount: integer({
    flag: '--workers',
    env: 'AKIN_WORKERS',
    default: 0,
    min: 0,
    max: 256,
    unit: 'threads',
    doc: 'threads of the build; 0 means one per core. The index is the same for any number',
  }),
  maxPageBytes: bytes({
    flag: '--max-page',
    env: 'AKIN_MAX_PAGE',
    default: 10 * MIB,
    min: 1024,
    max: 128 * MIB,
    doc: 'larger pages are skipped and counted',
  }),
  stopWordsFile: text({
    flag: '--stop-words',
    env: 'AKIN_STOP_WORDS',
    placeholder: 'FILE',
    default: '',
    doc: 'stop words, one a line, instead of the built-in list',
  }),
  classesFile: text({
    flag: '--classes',
    env: 'AKIN_CLASSES',
    placeholder: 'TSV',
    default: '',
    doc: 'classes of some pages (url and class, such as Science/Physics) that seed and name the topics',
  }),
  windowWords: integer({
    flag: '--window',
    env: 'AKIN_WINDOW',
    default: 8,
    min: 0,
    max: 100,
    unit: 'words',
    doc: 'words before and after a link that describe its target; 0 keeps only the link text',
  }),
  minPageCount: integer({
    flag: '--min-df',
    env: 'AKIN_MIN_DF',
    default: 2,
    min: 1,
    max: 1_000_000,
    unit: 'pages',
    doc: 'words on fewer pages are dropped; 1 keeps all',
  }),
  maxPageShare: fraction({
    flag: '--max-df',
    env: 'AKIN_MAX_DF',
    default: { akin: 0.5, haveliwala2000: 0.3 },
    doc: 'words on a larger share of the pages are dropped; 1 keeps all',
  }),
  neighborLimit: integer({
    flag: '--neighbors',
    env: 'AKIN_NEIGHBORS',
    default: { akin: 32, haveliwala2000: 100 },
    min: 1,
    max: 255,
    unit: 'pages',
    doc: 'related pages kept for each page',
  }),
  floor: fraction({
    flag: '--floor',
    env: 'AKIN_FLOOR',
    default: { akin: 0.03, haveliwala2000: 0.2 },
    doc: 'similarity below which no related page is kept',
  }),
  targetRecall: fraction({
    flag: '--recall',
    env: 'AKIN_RECALL',
    default: 0.97,
    doc: 'share of the true ten nearest pages to find (and of the pairs, with --pairs), measured during the build; 1 searches exactly at any cost',
  }),
  pairSimilarity: fraction({
    flag: '--pairs',
    env: 'AKIN_PAIRS',
    default: 0,
    doc: 'CENTER uses every pair of at least this similarity (0.1 or more), not only the nearest pages; 0 means the nearest pages',
  }),
  clusterSimilarity: fraction({
    flag: '--cluster-at',
    env: 'AKIN_CLUSTER_AT',
    default: 0.2,
    doc: 'least similarity to the center of a cluster for a page to join it',
  }),
  filterBytes: choice({
    flag: '--filter-bytes',
    env: 'AKIN_FILTER_BYTES',
    choices: ['3', '1'],
    default: '3',
    doc: 'haveliwala2000: bytes of each value that the filter compares; 1 needs a third of the memory',
  }),
  filterValues: integer({
    flag: '--filter-values',
    env: 'AKIN_FILTER_VALUES',
    default: 80,
    min: 1,
    max: 80,
    unit: 'values',
    doc: 'haveliwala2000: values of a signature that the filter compares; fewer need less memory',
  }),
  search: toggle({
    flag: '--no-search',
    env: 'AKIN_SEARCH',
    doc: 'leave out the search by words; an index without texts has none',
  }),
  keepTitles: toggle({
    flag: '--keep-titles',
    env: 'AKIN_KEEP_TITLES',
    doc: 'show titles whole: without it, what all titles of a host share (its name, mostly) is cut from them',
  }),
  seed: integer({
    flag: '--seed',
    env: 'AKIN_SEED',
    default: 1,
    min: 0,
    max: 2 ** 32 - 1,
    unit: '',
    doc: 'seed of hash functions, samples and topics; another seed gives another, equally good index',
  }),
  sweepName: text({
    flag: '--sweep',
    env: 'AKIN_SWEEP',
    placeholder: 'NAME',
    default: '',
    doc: 'name of this sweep of pages, stored with each capture; without one they are sweep-1, sweep-2, ...',
  }),
  format: choice({
    flag: '--format',
    env: 'AKIN_FORMAT',
    choices: ['auto', 'warc', 'jsonl'],
    default: 'auto',
    doc: 'format of standard input; auto recognizes it by its first bytes',
  }),
} as const;
