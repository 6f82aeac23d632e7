/**
 * Measured   Lost and found: a manual is served at its URLs in one year and under new ones in the next; the share of its
 *            pages that `GET /moved` finds first, and among the first ten, by how much of their text stayed.
 * Corpus     httpd-docs/history: the English manual at each 1 January, 1999 to 2024; six pairs of neighboring years.
 * Notes      New URLs say nothing (a number), or are those of the other pages of the manual: each page stands where the one
 *            behind it in the order of URLs stood, so that every URL is in use again. Titles stay. The exact resemblance is that of 5-word shingles over
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

/** Where the pages are served a year later. */
const SPACES = ['new URLs', 'URLs used again'] as const;
type Space = (typeof SPACES)[number];

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
  const ofYears: { year: number; spaces: Record<Space, Place[]> }[] = [];
  for (const year of YEARS) {
    const kept = pages.filter((page) => Number(page.year) === year + 1).map(({ url }) => url);
    const order = new Map(kept.sort().map((url, i) => [url, kept[(i + 1) % kept.length]!]));
    const newUrls: Record<Space, (url: string) => string> = {
      'new URLs': (url) => `https://manual.example/${numbers.get(url)}`,
      'URLs used again': (url) => order.get(url)!,
    };
    const asked = changes.filter(
      (change) => Number(change.year_a) === year && Number(change.year_b) === year + 1,
    );
    const placesIn = (newUrl: (url: string) => string) =>
      withFolder(async (folder) => {
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
          sweepName: '',
          memoryBytes: MEMORY_BYTES,
          workerCount: 1,
        });
        await buildIndex(addition, SILENT);
        return await askMoved(target, asked, newUrl);
      });
    const spaces = {} as Record<Space, Place[]>;
    for (const space of SPACES) {
      spaces[space] = await placesIn(newUrls[space]);
      assert.ok(spaces[space].length > 0, `there are pages of ${year} and of the year after`);
      announce({ year, space, pages: spaces[space].length, first: shareFirst(spaces[space]) });
    }
    ofYears.push({ year, spaces });
  }
  const allOf = (space: Space) => ofYears.flatMap(({ spaces }) => spaces[space]);
  const ranges = BINS.map((from, i) => ({ from, below: BINS[i + 1] ?? Number.POSITIVE_INFINITY }));
  const columns = ['', 'pages', ...SPACES.flatMap((space) => [`${space}: first`, 'among ten'])];
  const row = (name: string, placesOf: (space: Space) => readonly Place[]) => [
    name,
    placesOf(SPACES[0]).length,
    ...SPACES.flatMap((space): (string | number)[] => {
      const places = placesOf(space);
      return places.length === 0 ? ['-', '-'] : [shareFirst(places), shareOf(places, 10)];
    }),
  ];
  return {
    corpus: { pages: allOf(SPACES[0]).length, years: YEARS.length },
    tables: [
      {
        caption: 'Pages found at their new address, by resemblance to what they were',
        columns,
        rows: [
          ...ranges.map(({ from, below }) =>
            row(from === 1 ? '1' : `${from} to ${below}`, (space) =>
              allOf(space).filter(({ resemblance }) => resemblance >= from && resemblance < below),
            ),
          ),
          row('all', allOf),
        ],
      },
      {
        caption: 'The same by year',
        columns,
        rows: ofYears.map(({ year, spaces }) => row(`${year} to ${year + 1}`, (space) => spaces[space])),
      },
    ],
  };
}

async function askMoved(
  indexPath: string,
  asked: readonly { readonly url: string; readonly jaccard5: string }[],
  newUrl: (url: string) => string,
): Promise<Place[]> {
  await using app = await buildApp({ indexPath });
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
}

function shareFirst(places: readonly Place[]): number {
  return shareOf(places, 1);
}

/** Share of the pages found among the first `count`. */
function shareOf(places: readonly Place[], count: number): number {
  return round(places.filter(({ place }) => place >= 0 && place < count).length / places.length);
}
