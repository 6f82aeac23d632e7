/**
 * Measured   Pearson correlation of our similarity with that of people, over all 1,225 pairs: weighted Jaccard of
 *            the content bags that the index stores, with document frequencies of the 50 texts alone, and of these
 *            and 300 background texts; the same over bags to which neighbors lent words.
 * Corpus     50 short news texts, each pair judged by people (Lee, Pincombe, Welsh 2005).
 * Notes      People call most pairs dissimilar, so a few close pairs decide the figure.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bagAt } from '../../src/features/bag.ts';
import type { ShapingOptions } from '../../src/indexer/options/build-options.ts';
import { tableOfBags } from '../../src/indexer/tune/lists-of-bags.ts';
import { weightedJaccard } from '../../src/join/exact/weighted-jaccard.ts';
import { lentMatrix } from '../../src/join/lend/lent-lists.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { announce, type BenchResult, round } from '../bench.ts';
import { buildOne } from '../build-one.ts';
import { dataFile, readTsv, withFolder } from '../corpora/data.ts';
import { writeJsonl } from '../corpora/jsonl.ts';
import { storedBags } from '../stored-bags.ts';
import { TfIdfCosine } from './tf-idf-cosine.ts';
import { wordsOfPages } from './words-of-pages.ts';

const JUDGED = 50;
const LEND_SHARE = 0.1;

export async function run(): Promise<BenchResult> {
  const judged = linesOf('lee50/lee.cor');
  const background = linesOf('lee50/lee_background.cor');
  const pairs = readTsv('lee50/pairs.tsv', ['doc_a', 'doc_b', 'human_similarity']).map((row) => ({
    a: urlOf(Number(row.doc_a)),
    b: urlOf(Number(row.doc_b)),
    human: Number(row.human_similarity),
  }));
  assert.equal(judged.length, JUDGED);
  assert.equal(pairs.length, (JUDGED * (JUDGED - 1)) / 2);
  const people = pairs.map((pair) => pair.human);
  const rows: (string | number)[][] = [];
  const corpus: Record<string, number> = {
    texts: JUDGED,
    'background texts': background.length,
    pairs: pairs.length,
  };
  await withFolder(async (folder) => {
    for (const [from, texts] of [
      ['the 50 texts', judged],
      ['350 texts', [...judged, ...background]],
    ] as const) {
      const path = join(folder, 'texts.jsonl');
      await writeJsonl(
        path,
        texts.map((text, i) => ({ url: urlOf(i), text })),
      );
      for (const profile of ['akin', 'haveliwala2000'] satisfies ShapingOptions['profile'][]) {
        const target = join(folder, 'bench.akin');
        const { pageCount, indexBytes } = await buildOne({
          input: { path },
          target,
          profile,
          parts: 'content',
        });
        announce({ index: `${profile}, ${from}`, pages: pageCount, indexBytes });
        corpus[`index bytes, ${profile}, ${from}`] = indexBytes;
        const reader = IndexReader.open(target);
        const bagOf = (url: string) => reader.bag(reader.relation('topic')!.id, reader.findPage(url));
        const similarities = pairs.map(({ a, b }) => weightedJaccard(bagOf(a), bagOf(b)));
        const matrix = storedBags(reader, reader.relation('topic')!.id);
        const pages = new Map(Array.from(reader.pages(), ({ url }, page) => [url, page]));
        reader.close();
        rows.push([`${profile} --parts content`, from, round(pearson(similarities, people))]);
        if (profile === 'akin') {
          const options = { pageCount, neighborLimit: 32, floor: 0.03 };
          const lent = lentMatrix(matrix, tableOfBags(matrix, options), LEND_SHARE);
          const lentBag = (url: string) => bagAt(lent, pages.get(url)!);
          const overLent = pairs.map(({ a, b }) => weightedJaccard(lentBag(a), lentBag(b)));
          const name = `akin --parts content, over bags with --lend ${LEND_SHARE}`;
          rows.push([name, from, round(pearson(overLent, people))]);
        }
      }
      const cosine = new TfIdfCosine(await wordsOfPages(path));
      rows.push([
        'TF-IDF cosine',
        from,
        round(
          pearson(
            pairs.map(({ a, b }) => cosine.similarity(a, b)),
            people,
          ),
        ),
      ]);
    }
  });
  for (const row of rows) assert.ok(Number(row[2]) > 0.4, `${row[0]} agrees with people: ${row[2]}`);
  return {
    corpus,
    tables: [
      {
        caption: 'Agreement with people',
        columns: ['similarity', 'document frequencies of', 'Pearson'],
        rows,
      },
    ],
  };
}

function linesOf(name: string): string[] {
  return readFileSync(dataFile(name), 'utf8').trimEnd().split('\n');
}

function urlOf(number: number): string {
  return `http://news.example/${number}`;
}

function pearson(x: readonly number[], y: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(x), mean(y)];
  let [xy, xx, yy] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    xy += (x[i]! - meanX) * (y[i]! - meanY);
    xx += (x[i]! - meanX) ** 2;
    yy += (y[i]! - meanY) ** 2;
  }
  return xy / Math.sqrt(xx * yy);
}
