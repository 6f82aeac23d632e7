/**
 * Measured   P@1, P@10 and hit@10 of lists over bags to which the ten nearest pages lent words (--lend), as a build makes them, beside
 *            those of today; what is lost as only neighbors of neighbors are compared; pages in the first ten that share no word with
 *            the page; what a build takes; documents that are sent.
 * Corpus     Articles, manuals and posts as in the benches wikispeedia, manuals and newsgroups; articles that are sent as in left-out.
 * Notes      Differences are paired by page: the mean and its standard error. `all pages compared`: the 32 nearest of all pages over
 *            lent bags, none of the most similar kept among the first ten.
 */
import { join } from 'node:path';
import { type BagMatrix, bagAt } from '../../src/features/bag.ts';
import { kindOf } from '../../src/features/parts.ts';
import {
  lentListsByRank,
  listsByRank,
  listsOfBags,
  type RankedLists,
  tableOfBags,
} from '../../src/indexer/tune/lists-of-bags.ts';
import { lentMatrix } from '../../src/join/lend/lent-lists.ts';
import { BLENDED_LISTING } from '../../src/relations/topic.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { type BenchResult, round } from '../bench.ts';
import { buildOne } from '../build-one.ts';
import { withFolder } from '../corpora/data.ts';
import { writeJsonl } from '../corpora/jsonl.ts';
import { storedBags } from '../stored-bags.ts';
import { judge, type Labels } from './judge.ts';
import { askLeftOut, leftOutArticles } from './left-out.bench.ts';
import { threeCorpora } from './three-corpora.ts';

const SHARES = [0.05, 0.1, 0.2];
const USUAL = 0.1;

export async function run(): Promise<BenchResult> {
  const rows: (string | number)[][] = [];
  const strangers: (string | number)[][] = [];
  const cost: (string | number)[][] = [];
  const facts: Record<string, number> = {};
  for (const { name, path, parts, labels } of await threeCorpora()) {
    const { urls, matrix, isWord, seconds } = await built(path, parts);
    facts[`pages, ${name}`] = urls.length;
    const options = { pageCount: urls.length, neighborLimit: 32, floor: 0.03 };
    const today = listsOfBags(matrix, options).votes;
    const base = judged(urls, labels, today);
    rows.push([name, 'today', ...base.row]);
    for (const share of SHARES) {
      const { votes } = lentListsByRank(matrix, options, share);
      rows.push([name, `--lend ${share}`, ...judged(urls, labels, votes, base.figures).row]);
      if (share === USUAL) strangers.push([name, ...sharingNoWord(urls, labels, votes, matrix, isWord)]);
    }
    const table = tableOfBags(matrix, options);
    const lent = lentMatrix(matrix, table, USUAL);
    const whole = listsByRank(tableOfBags(lent, options), BLENDED_LISTING).votes;
    rows.push([name, `${USUAL}, all pages compared`, ...judged(urls, labels, whole, base.figures).row]);
    const entries = [matrix, lent].map(({ features }) => round(features.length / urls.length, 1));
    cost.push([name, ...entries, seconds.plain, seconds.lent, seconds.stage]);
  }
  const { table: sent, counts } = await documents();
  return {
    corpus: { ...facts, ...counts },
    tables: [
      {
        caption: 'Lists over lent words',
        columns: [
          ...['corpus', 'list', 'P@1', 'P@10', 'hit@10'],
          ...['P@1 above', 'error', 'P@10 above', 'error', 'hit@10 above', 'error'],
        ],
        rows,
      },
      {
        caption: `Pages in the first ten that share no word with the page, --lend ${USUAL}`,
        columns: ['corpus', 'of all listed', 'pairs', 'of these of the same label', 'two pages by chance'],
        rows: strangers,
      },
      {
        caption: `Cost, --lend ${USUAL}`,
        columns: [
          ...['corpus', 'entries a page', 'with lent words'],
          ...['processor s of a build without', 'with', 'of these the stage lend'],
        ],
        rows: cost,
      },
      sent,
    ],
  };
}

/** The bags of an index, of each feature whether it is a word, and processor seconds of builds without and with lending. */
async function built(path: string, parts: string | undefined) {
  return withFolder(async (folder) => {
    const target = join(folder, 'bench.akin');
    const timeOf = async (lend: number) => {
      const { stages } = await buildOne({ input: { path }, parts, target, lend });
      const seconds = (of: readonly { readonly processorMs: number }[]) =>
        round(of.reduce((sum, { processorMs }) => sum + processorMs, 0) / 1000, 1);
      return { all: seconds(stages), stage: seconds(stages.filter(({ name }) => name === 'lend')) };
    };
    // The first build of a process takes longer: its code is compiled.
    await timeOf(0);
    const lent = await timeOf(USUAL);
    const plain = await timeOf(0);
    const reader = IndexReader.open(target);
    const { id } = reader.relation('topic')!;
    const urls = Array.from(reader.pages(), ({ url }) => url);
    const featureCount = reader.featureCount(id);
    const isWord = Uint8Array.from({ length: featureCount }, (_, feature) =>
      Number(kindOf(reader.feature(id, feature).part) === 'words'),
    );
    const matrix = storedBags(reader, id);
    reader.close();
    return { urls, isWord, matrix, seconds: { plain: plain.all, lent: lent.all, stage: lent.stage } };
  });
}

const listOf = ({ k, counts, ids }: RankedLists, page: number) =>
  ids.subarray(page * k, page * k + counts[page]!);

/** Of labelled pages: their share of what is listed, how many, and how many of them share a label, as of all pairs do. */
function sharingNoWord(
  urls: readonly string[],
  labels: Labels,
  lists: RankedLists,
  matrix: BagMatrix,
  isWord: Uint8Array,
) {
  const labelled = urls.flatMap((url, page) => (labels.has(url) ? [page] : []));
  const isAlike = (a: number, b: number) => !labels.get(urls[a]!)!.isDisjointFrom(labels.get(urls[b]!)!);
  const wordsOf = (page: number) =>
    new Set(bagAt(matrix, page).features.filter((feature) => isWord[feature] === 1));
  let [all, pairs, alike] = [0, 0, 0];
  for (const page of labelled) {
    const own = wordsOf(page);
    for (const id of listOf(lists, page).subarray(0, 10)) {
      if (!labels.has(urls[id]!)) continue;
      all++;
      if (!own.isDisjointFrom(wordsOf(id))) continue;
      pairs++;
      if (isAlike(page, id)) alike++;
    }
  }
  let chance = 0;
  for (const [i, page] of labelled.entries())
    if (isAlike(page, labelled[(i + Math.floor(labelled.length / 2)) % labelled.length]!)) chance++;
  return [
    round(pairs / all, 4),
    pairs,
    pairs === 0 ? '' : round(alike / pairs),
    round(chance / labelled.length),
  ];
}

type Figures = readonly { readonly p1: number; readonly p10: number; readonly hit: number }[];

function judged(urls: readonly string[], labels: Labels, lists: RankedLists, base?: Figures) {
  const pages = urls.flatMap((url, page) => (labels.has(url) ? [page] : []));
  const figures = pages.map((page) => {
    const own = labels.get(urls[page]!)!;
    const hits = Array.from(
      listOf(lists, page).subarray(0, 10),
      (id) => labels.get(urls[id]!)?.isDisjointFrom(own) === false,
    );
    const count = hits.filter(Boolean).length;
    return { p1: Number(hits[0] ?? false), p10: count / 10, hit: Number(count > 0) };
  });
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const keys = ['p1', 'p10', 'hit'] as const;
  const gains = keys.flatMap((key): (string | number)[] => {
    if (base === undefined) return ['', ''];
    const differences = figures.map((one, i) => one[key] - base[i]![key]);
    const average = mean(differences);
    const error = Math.sqrt(mean(differences.map((one) => (one - average) ** 2)) / pages.length);
    return [round(average, 4), round(error, 4)];
  });
  return { figures, row: [...keys.map((key) => round(mean(figures.map((one) => one[key])))), ...gains] };
}

/** Articles that are sent, to an index without and one with lending. */
async function documents() {
  const { labels, kept, posted } = await leftOutArticles();
  const rows = await withFolder(async (folder) => {
    const path = join(folder, 'kept.jsonl');
    await writeJsonl(path, kept);
    const found: (string | number)[][] = [];
    for (const lend of [0, USUAL]) {
      const target = join(folder, 'kept.akin');
      await buildOne({ input: { path }, target, lend, copies: false });
      const { answers, seconds } = (await askLeftOut(target, posted)).score;
      const { p1, p10, hit10 } = judge(answers, labels, [...answers.keys()]);
      found.push([
        lend,
        ...[p1, p10, hit10].map((one) => round(one)),
        round((1000 * seconds) / posted.length, 1),
      ]);
    }
    return found;
  });
  return {
    counts: { 'articles sent': posted.length },
    table: {
      caption: 'Articles that are sent',
      columns: ['--lend', 'P@1', 'P@10', 'hit@10', 'processor ms a document'],
      rows,
    },
  };
}
