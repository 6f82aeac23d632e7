/**
 * Measured   Lost and found: a manual is served at its URLs in one year and under new ones in the next; the share of its
 *            pages that `GET /moved` finds first, and among the first ten, by how much of their text stayed.
 * Corpus     httpd-docs/history: the English manual at each 1 January, 1999 to 2024; six pairs of neighbouring years.
 * Notes      The new URLs say nothing (a number); titles stay. The exact resemblance is that of 5-word shingles over
 *            another extraction of the text, as the corpus has it. Pages that the next year has not are not asked for.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { buildIndex } from '../../src/indexer/build-index.ts';
import { additionTo } from '../../src/indexer/options/stored-options.ts';
import { buildApp } from '../../src/service/app.ts';
import { announce, type BenchResult, round } from '../bench.ts';
import { buildOne } from '../build-one.ts';
import { readTsv, unpacked, withFolder } from '../corpora/data.ts';
import { type JsonlRecord, writeJsonl } from '../corpora/jsonl.ts';
import { tarFiles } from '../corpora/tar.ts';

const YEARS = [2000, 2004, 2008, 2012, 2017, 2022];
const BINS = [0, 0.5, 0.7, 0.8, 0.9, 1];
const MEMORY_BYTES = 256 * 2 ** 20;
const SILENT = { stageStarted() {}, stageProgress() {}, stageEnded() {}, fault() {} };

interface Place {
  readonly resemblance: number;
  /** From 0; -1 where the page is not among the first ten. */
  readonly place: number;
}

export async function run(): Promise<BenchResult> {
  const htmlOf = new Map<string, string>();
  for await (const { path, body } of tarFiles(unpacked('httpd-docs/history/html.tar.zst'))) {
    htmlOf.set(path, body.toString('latin1'));
  }
  const pages = readTsv('httpd-docs/history/pages.tsv', ['url', 'year', 'path']);
  const changes = readTsv('httpd-docs/history/changes.tsv', ['url', 'year_a', 'year_b', 'jaccard5']);
  const recordsOf = (year: number, urlOf: (url: string) => string): JsonlRecord[] =>
    pages
      .filter((page) => Number(page.year) === year)
      .map(({ url, path }) => ({ url: urlOf(url), html: htmlOf.get(path)! }));
  const numbers = new Map([...new Set(pages.map(({ url }) => url))].map((url, i) => [url, i]));
  const newUrl = (url: string) => `https://manual.example/${numbers.get(url)}`;

  const ofYears: { year: number; places: Place[] }[] = [];
  for (const year of YEARS) {
    const asked = changes.filter(
      (change) => Number(change.year_a) === year && Number(change.year_b) === year + 1,
    );
    const places = await withFolder(async (folder) => {
      const [first, second] = [join(folder, 'first.jsonl'), join(folder, 'second.jsonl')];
      await writeJsonl(
        first,
        recordsOf(year, (url) => url),
      );
      await writeJsonl(second, recordsOf(year + 1, newUrl));
      const target = join(folder, 'manual.akin');
      await buildOne({ input: { path: first }, target, memoryBytes: MEMORY_BYTES, workerCount: 1 });
      const addition = additionTo({
        inputs: [{ path: second, baseUrl: null, format: null }],
        target,
        sweepName: null,
        isSweepPerInput: false,
        isWhole: false,
        memoryBytes: MEMORY_BYTES,
        workerCount: 1,
      });
      await buildIndex(addition, SILENT);
      return await askMoved(target, asked, newUrl);
    });
    assert.ok(places.length > 0, `there are pages of ${year} and of the year after`);
    announce({ year, pages: places.length, first: shareFirst(places) });
    ofYears.push({ year, places });
  }
  const all = ofYears.flatMap(({ places }) => places);
  const bins = BINS.map((from, i) => {
    const below = BINS[i + 1] ?? Number.POSITIVE_INFINITY;
    return {
      name: from === 1 ? '1' : `${from} to ${below}`,
      places: all.filter(({ resemblance }) => resemblance >= from && resemblance < below),
    };
  });
  const columns = ['', 'pages', 'found first', 'among ten'];
  const row = (name: string, places: readonly Place[]) => [
    name,
    places.length,
    ...(places.length === 0 ? ['-', '-'] : [shareFirst(places), shareOf(places, 10)]),
  ];
  return {
    corpus: { pages: all.length, years: YEARS.length },
    tables: [
      {
        caption: 'Pages found at their new address, by resemblance to what they were',
        columns,
        rows: [...bins.map(({ name, places }) => row(name, places)), row('all', all)],
      },
      {
        caption: 'The same by year',
        columns,
        rows: ofYears.map(({ year, places }) => row(`${year} to ${year + 1}`, places)),
      },
    ],
  };
}

async function askMoved(
  indexPath: string,
  asked: readonly { readonly url: string; readonly jaccard5: string }[],
  newUrl: (url: string) => string,
): Promise<Place[]> {
  const app = await buildApp({ indexPath, preload: false });
  try {
    const places: Place[] = [];
    for (const { url, jaccard5 } of asked) {
      const answer = await app.inject({
        method: 'GET',
        url: `/moved?limit=10&url=${encodeURIComponent(url)}`,
      });
      assert.equal(answer.statusCode, 200, answer.body);
      const { candidates } = answer.json() as { candidates: { url: string }[] };
      const place = candidates.findIndex((candidate) => candidate.url === newUrl(url));
      places.push({ resemblance: Number(jaccard5), place });
    }
    return places;
  } finally {
    await app.close();
  }
}

function shareFirst(places: readonly Place[]): number {
  return shareOf(places, 1);
}

/** Share of the pages found among the first `count`. */
function shareOf(places: readonly Place[], count: number): number {
  return round(places.filter(({ place }) => place >= 0 && place < count).length / places.length);
}
