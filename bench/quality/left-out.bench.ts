/**
 * Measured   P@10 and P@1 of POST /similar for articles that the index does not have, by a shared full category path,
 *            in the order of votes and of similarity, and processor time a document of each.
 * Corpus     2,295 encyclopedia articles with their links; every fifth is left out and posted with its HTML, and its
 *            links lead where they led.
 * Notes      Four of five articles are there to be found, so that figures are below those of whole collections. An answer is relevant if it shares a label with the posted article. Both orders are asked in turn, one
 *            document each, in one process; times are of the whole answer, from HTML to JSON.
 */
import { join } from 'node:path';
import { TOPIC } from '../../src/relations/topic.ts';
import { similarToDocument } from '../../src/service/answers/lists/similar.ts';
import { FileReads } from '../../src/service/reads/file/file-reads.ts';
import { OpenFile } from '../../src/service/reads/file/open-file.ts';
import { PLAIN_LIST } from '../../src/service/schemas/parameters/list-parameters.ts';
import { canonicalUrl } from '../../src/url/canonical-url.ts';
import { type BenchResult, round } from '../bench.ts';
import { buildOne } from '../build-one.ts';
import { dataFile, readTsv, unpacked, withFolder } from '../corpora/data.ts';
import { type JsonlRecord, readJsonl, writeJsonl } from '../corpora/jsonl.ts';
import { type Judgement, judge, judgementTable } from './judge.ts';

const EVERY = 5;
const RANKS = ['score', 'similarity'] as const;
const WITHOUT_LINKS = 'content=.8,title=.05,anchor=.15';

export async function run(): Promise<BenchResult> {
  dataFile('wikispeedia/pages.jsonl.zst');
  const { labels, kept, posted } = await leftOutArticles();
  return withFolder(async (folder) => {
    const path = join(folder, 'kept.jsonl');
    await writeJsonl(path, kept);
    const rows: [string, Judgement][] = [];
    const times: [string, number][] = [];
    for (const parts of [undefined, WITHOUT_LINKS]) {
      const target = join(folder, 'kept.akin');
      await buildOne({ input: { path }, target, parts });
      const found = await askLeftOut(target, posted);
      for (const rank of RANKS) {
        const name = `rank=${rank}${parts === undefined ? '' : `, --parts ${parts}`}`;
        rows.push([name, judge(found[rank].answers, labels, [...found[rank].answers.keys()])]);
        times.push([name, round((1000 * found[rank].seconds) / posted.length, 2)]);
      }
    }
    return {
      corpus: { 'articles in the index': kept.length, 'articles posted': posted.length },
      tables: [
        judgementTable('Answers that share a label with the posted article', rows),
        { caption: 'Processor time a document', columns: ['order', 'ms'], rows: times },
      ],
      targets: [
        {
          figure: 'P@10 in the order of votes, against that of similarity',
          atLeast: round(rows[1]![1].p10),
          reached: round(rows[0]![1].p10),
        },
        {
          figure: 'time by similarity, doubled, in that by votes',
          atLeast: 1,
          reached: round((2 * times[1]![1]) / times[0]![1], 2),
        },
      ],
    };
  });
}

/** The articles: four of five to be indexed, the others to be posted. */
export async function leftOutArticles() {
  const labels = new Map(
    readTsv('wikispeedia/labels.tsv', ['url', 'categories'])
      .filter((row) => row.categories !== '')
      .map((row) => [canonicalUrl(row.url)!, new Set(row.categories.split('|'))]),
  );
  const kept: JsonlRecord[] = [];
  const posted: JsonlRecord[] = [];
  for await (const page of readJsonl(unpacked('wikispeedia/pages.jsonl.zst'))) {
    const isPosted = (kept.length + posted.length) % EVERY === 0 && labels.has(canonicalUrl(page.url)!);
    (isPosted ? posted : kept).push(page);
  }
  return { labels, kept, posted };
}

/** Posts each article in both orders, in turn: answers by URL, and processor seconds. */
export async function askLeftOut(target: string, posted: readonly JsonlRecord[]) {
  const file = await OpenFile.open(target);
  const reads = new FileReads(file);
  const found = {
    score: { answers: new Map<string, string[]>(), seconds: 0 },
    similarity: { answers: new Map<string, string[]>(), seconds: 0 },
  };
  for (const [i, page] of posted.entries()) {
    const url = canonicalUrl(page.url)!;
    const document = { kind: 'html', content: page.html!, title: undefined, url, baseUrl: null } as const;
    for (const rank of i % 2 === 0 ? RANKS : RANKS.toReversed()) {
      const before = process.cpuUsage();
      const answer = await similarToDocument(
        { reads, narrowing: { ...ASKED, rank }, offset: 0 },
        document,
        '',
      );
      const { user, system } = process.cpuUsage(before);
      found[rank].seconds += (user + system) / 1e6;
      found[rank].answers.set(
        url,
        answer.related.map((one) => one.url),
      );
    }
  }
  file.close();
  return found;
}

const ASKED = { ...PLAIN_LIST, by: TOPIC.name, limit: 10, exact: false };
