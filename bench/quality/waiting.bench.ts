/**
 * Measured   How far lists differ from those of a build of everything while some pages wait for a fold: the share of members of the
 *            first ten that both have, and P@10 by the same group, of pages that wait and of pages of the index.
 * Corpus     11,314 posts of 1993 in 20 groups (20 Newsgroups, "bydate", training half), as in `newsgroups.bench.ts`; 1, 5 and 10 of
 *            100, drawn at random, are handed over to an index of the others.
 * Notes      What differs comes from document frequencies, which are those of the index until the fold, from words that it does
 *            not have, and from the order of a list, in which pages that were there keep their places.
 */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { shuffled } from '../../src/cluster/move-nodes.ts';
import { Random } from '../../src/lib/random.ts';
import { knownPages } from '../../src/service/live/known-pages.ts';
import { liveIndex } from '../../src/service/reads/live/live-index.ts';
import { openIndex } from '../../src/service/reads/shards/open-shards.ts';
import { canonicalUrl } from '../../src/url/canonical-url.ts';
import { announce, type BenchResult, type Cell, round } from '../bench.ts';
import { buildOne } from '../build-one.ts';
import { dataFile, withFolder } from '../corpora/data.ts';
import type { JsonlRecord } from '../corpora/jsonl.ts';
import { newsgroupPosts } from '../corpora/newsgroups.ts';
import { type Answers, judge, type Labels } from './judge.ts';
import { readIndex } from './read-index.ts';

const SHARES = [0.01, 0.05, 0.1];
const LISTED = 10;
const BATCH = 64;
const BUILD = { profile: 'akin', parts: 'content' } as const;
const COLUMNS = ['share that waits', 'pages', 'members that a build has, too', 'P@10', 'P@10 of a build'];

export async function run(): Promise<BenchResult> {
  dataFile('20newsgroups/text-train.tar.zst');
  const posts: JsonlRecord[] = [];
  for await (const post of newsgroupPosts()) posts.push(post);
  const urls = posts.map(({ url }) => canonicalUrl(url)!);
  const labels: Labels = new Map(urls.map((url) => [url, new Set([new URL(url).hostname])]));
  const order = shuffled(posts.length, new Random(1));
  announce({ pages: posts.length });
  const rows: Cell[][] = [];
  await withFolder(async (folder) => {
    const build = async (name: string, some: readonly JsonlRecord[]) => {
      const [path, target] = [join(folder, `${name}.jsonl`), join(folder, `${name}.akin`)];
      const file = createWriteStream(path);
      for (const post of some) file.write(`${JSON.stringify(post)}\n`);
      await finished(file.end());
      await buildOne({ ...BUILD, input: { path }, target });
      return target;
    };
    const wanted = readIndex(await build('all', posts)).answers;
    for (const share of SHARES) {
      const waiting = new Set(Array.from(order.subarray(0, Math.round(share * posts.length))));
      const base = await build(
        `base-${share}`,
        posts.filter((_, i) => !waiting.has(i)),
      );
      const answers = await answersWith(
        base,
        posts.filter((_, i) => waiting.has(i)),
      );
      for (const isWaiting of [true, false]) {
        const asked = urls.filter((_, i) => waiting.has(i) === isWaiting);
        rows.push([
          `${100 * share} %, ${isWaiting ? 'those that wait' : 'the others'}`,
          asked.length,
          round(equalMembers(answers, wanted, asked)),
          round(judge(answers, labels, asked).p10),
          round(judge(wanted, labels, asked).p10),
        ]);
      }
    }
  });
  return {
    corpus: { pages: posts.length },
    tables: [
      { caption: 'Lists while pages wait, beside those of a build of everything', columns: COLUMNS, rows },
    ],
  };
}

/** The lists of all pages while some wait. */
async function answersWith(path: string, some: readonly JsonlRecord[]): Promise<Answers> {
  const index = liveIndex(await openIndex([path], { preload: false }));
  for (let from = 0; from < some.length; from += BATCH) {
    const lines = some.slice(from, from + BATCH).map((post) => JSON.stringify(post));
    const { value } = await index.answer((reads) => knownPages(reads, index.local, lines.join('\n')));
    const pages = value.map(({ pending }) => pending);
    index.segment.apply({ pages, sequence: from + 1, beyond: 0, journal: '' });
  }
  const { value } = await index.answer(async (reads) => {
    const found = new Map<string, readonly string[]>();
    const { id } = reads.facts.words!;
    for (let page = 0; page < reads.facts.pageCount; page++) {
      const { ids } = await reads.neighbors(id, page, LISTED);
      const heads = await reads.heads(ids.subarray(0, LISTED));
      found.set(
        (await reads.page(page)).url,
        heads.map(({ url }) => url),
      );
    }
    return found;
  });
  index.close();
  return value;
}

/** Mean share of the first ten that both lists have. */
function equalMembers(answers: Answers, wanted: Answers, asked: readonly string[]): number {
  let sum = 0;
  let count = 0;
  for (const url of asked) {
    const of = new Set(wanted.get(url)?.slice(0, LISTED));
    if (of.size === 0) continue;
    count++;
    sum += (answers.get(url) ?? []).filter((one) => of.has(one)).length / of.size;
  }
  return sum / count;
}
