import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import type { Table } from '../../bench/bench.ts';
import { ROOT } from '../../bench/environment.ts';
import type { PeerCorpus } from '../../bench/peers/corpus.ts';
import { peerTargets } from '../../bench/peers/targets.ts';
import { benchName, benchPaths } from '../../bench/run.ts';
import { readmeNote } from '../../bench/stale.ts';
import { EVALUATION_FILE, evaluationText, headOf, storyText, verdict } from '../../bench/write-evaluation.ts';
import { ALGORITHM_VERSION, FORMAT_VERSION } from '../../src/store/database.ts';

test('docs/evaluation.md says what bench/results say', () => {
  const hint = 'run: node bench/write-evaluation.ts';
  assert.equal(readFileSync(EVALUATION_FILE, 'utf8'), evaluationText(), hint);
});

test('README has the figures of the last runs', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const resultOf = (bench: string) =>
    JSON.parse(readFileSync(join(ROOT, 'bench', 'results', `${bench}.json`), 'utf8'));
  const cell = (bench: string, caption: string, row: string | number, column: string) => {
    const { tables } = resultOf(bench).result;
    const table = tables.find((one: Table) => one.caption === caption) as Table;
    const cells = table.rows.find(([name]) => name === row)!;
    return Number(cells[table.columns.indexOf(column)]);
  };
  const figure = (...place: Parameters<typeof cell>) =>
    cell(...place)
      .toFixed(3)
      .slice(1);
  const byAll = (method: string) =>
    figure('wikispeedia', 'Neighbors that share a label with the page', method, 'P@10');
  const asNew = (kind: string, by: string) => figure('peers', `articles, from ${kind}`, by, 'P@10 by labels');
  const own = byAll('akin --parts content');
  const serving = (column: string) => cell('serve', '32 connections', 1_000_000, column);
  const [ours, same] = [serving('related a second'), serving('same bytes a second')].map((count) =>
    count.toLocaleString('en-US'),
  );
  const rows = [
    `| ${own}; TF-IDF cosine ${byAll('TF-IDF cosine, brute force')}, BM25 ${byAll('BM25, brute force')} |`,
    `| ${asNew('texts', 'akin, a new document')}; Lucene MoreLikeThis, 100 terms, ` +
      `${asNew('texts', 'Lucene 9.12.3 MoreLikeThis, 100 terms')}; SQLite FTS5 ${asNew('texts', 'SQLite FTS5, 25 terms')} |`,
    `| ${ours} a second, p99 ${serving('related p99 ms').toFixed(1)} ms; the same bytes from memory by a framework ` +
      `alone ${same}, p99 ${serving('same bytes p99 ms').toFixed(1)} ms |`,
    ...['build', 'wikispeedia', 'peers', 'twenty-million', 'serve'].map((bench) => {
      const { date, coreCount } = resultOf(bench).environment;
      return `| \`${bench}\`, ${date}, ${coreCount} |`;
    }),
  ];
  for (const row of rows) assert.ok(readme.includes(row), row);
});

test('README and docs/evaluation.md mark what was measured with another index', () => {
  const note = readmeNote();
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [said = ''] = /^Measured with an older index:.*$/m.exec(readme) ?? [];
  assert.equal(
    said,
    note,
    'README.md must say exactly what bench/stale.ts says; npm run bench -- --stale lists it',
  );
  const evaluation = readFileSync(EVALUATION_FILE, 'utf8');
  const marked = evaluation.match(/^- \*\*Machine\*\* .*\*\*older\*\* index format /gm) ?? [];
  const isOfToday = (file: string) => {
    const { indexFormat, algorithmVersion } = JSON.parse(readFileSync(file, 'utf8')).environment;
    return indexFormat === FORMAT_VERSION && algorithmVersion === ALGORITHM_VERSION;
  };
  const results = globSync(join(ROOT, 'bench', 'results', '*.json'));
  assert.equal(marked.length, results.filter((file) => !isOfToday(file)).length);
});

test('the story has the figures of the last runs, and names a figure that no result has', () => {
  const [story] = readFileSync(EVALUATION_FILE, 'utf8').split('\n## Targets');
  const rows: readonly [bench: string, table: number, row: string, column: number][] = [
    ['newsgroups', 0, 'TF-IDF cosine, brute force', 1],
    ['left-out', 0, 'rank=score', 1],
    ['copies', 1, 'default', 2],
    ['moved', 0, 'all', 2],
  ];
  for (const [bench, table, row, column] of rows) {
    const { result } = JSON.parse(readFileSync(join(ROOT, 'bench', 'results', `${bench}.json`), 'utf8'));
    const cells = result.tables[table].rows.find(([name]: Table['rows'][number]) => name === row);
    assert.ok(story!.split(/[\s,;]+/).includes(String(cells[column])), `${bench}, ${row}`);
  }
  assert.throws(() => storyText(() => []), /wikispeedia > Neighbors > akin > P@10.*0 cells/);
});

test('a missed target is written with its reason, a met one without', () => {
  const target = { figure: 'f', atLeast: 2, ifMissed: 'because' };
  assert.equal(verdict({ ...target, reached: 1 }), 'missed: because');
  assert.equal(verdict({ ...target, reached: 2 }), 'met');
});

test('peers are led where the best of them is behind, figure by figure', () => {
  const bag = { features: Uint32Array.of(0), weights: Uint8Array.of(1), offsets: Uint32Array.of(0, 1) };
  const corpus = {
    name: 'c',
    matrix: { ...bag, sums: Uint32Array.of(1), featureCount: 1 } as unknown as PeerCorpus['matrix'],
    urls: ['https://a.example/'],
    texts: [''],
    queries: [0],
    tenth: [1],
  };
  const setting = (indexSeconds: number, ms: number, hits: number) => ({
    name: 's',
    indexSeconds,
    queryMs: [ms],
    answers: [Array<number>(hits).fill(0)],
  });
  const results = [
    ['akin', { peakMiB: 1, settings: [setting(2, 1, 9), setting(9, 9, 1)] }],
    ['other', { peakMiB: 1, settings: [setting(1, 4, 5), setting(3, 3, 8)] }],
    ['missing', 'skipped: no runtime'],
  ] as const;
  const targets = peerTargets('c, from bags', results, corpus);
  assert.deepEqual(
    targets.map(({ atLeast, reached }) => [atLeast, reached]),
    [
      [1, 0.5],
      [1, 0.5],
      [1, 3],
      [0.8, 0.9],
    ],
  );
  assert.deepEqual(peerTargets('alone', [results[0], results[2]], corpus), []);
});

test('every bench says what it measures, on which corpus, and what to know', () => {
  assert.ok(benchPaths().length >= 7);
  for (const path of benchPaths()) {
    const said = headOf(path).map((line) => /^\*\*(\w+)\*\*/.exec(line)?.[1]);
    assert.deepEqual(said, ['Measured', 'Corpus', 'Notes'], path);
  }
});

test('names of benches are unique, and every result belongs to one', () => {
  const names = benchPaths().map(benchName);
  assert.equal(new Set(names).size, names.length);
  const results = globSync('*.json', { cwd: join(ROOT, 'bench', 'results') });
  assert.ok(results.length > 0);
  for (const file of results) assert.ok(names.includes(basename(file, '.json')), file);
});

test('a result says where and when it was measured', () => {
  for (const file of globSync(join(ROOT, 'bench', 'results', '*.json'))) {
    const { environment } = JSON.parse(readFileSync(file, 'utf8'));
    assert.match(environment.node, /^v\d+\./, file);
    assert.match(environment.date, /^\d{4}-\d\d-\d\d$/, file);
    assert.ok(environment.cpu.length > 0 && environment.commit.length > 0, file);
  }
});
