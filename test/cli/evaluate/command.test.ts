import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'parse5';
import type { PageExample } from '../../../src/cli/evaluate/report.ts';
import { visitSimilarities } from '../../../src/cli/evaluate/sampled-overlaps.ts';
import { IndexReader } from '../../../src/store/read/reader.ts';
import { plainSimilarity } from '../../twins/plain-similarity.ts';
import { GARDEN_PAGES, topicOf } from '../garden.ts';
import { akin } from '../terminal.ts';
import { evaluate, folder, index, labels, printed, SMALL, table } from './evaluated-garden.ts';

/** What the service answers, judged by hand. */
async function relevantAmong(
  k: number,
  isRelevant: (url: string, other: string) => boolean,
): Promise<number> {
  let relevant = 0;
  for (const { url } of GARDEN_PAGES) {
    const { stdout } = await akin(['related', index, url, '--limit', String(k), '--json']);
    const { related } = JSON.parse(stdout) as { related: { url: string }[] };
    relevant += related.filter((other) => isRelevant(url, other.url)).length;
  }
  return relevant / k / GARDEN_PAGES.length;
}

test('precision is that of the answers of the service', async () => {
  const report = await evaluate(index, '--labels', labels, '--at', '1,2');
  const [at1, at2] = report.neighbors;
  const sameTopic = (url: string, other: string) => topicOf(url) === topicOf(other);
  assert.equal(at1!.precision, await relevantAmong(1, sameTopic));
  assert.equal(at2!.precision, await relevantAmong(2, sameTopic));
  assert.ok(at2!.hit >= at1!.hit && at1!.hit === at1!.precision);
  // two pages share no label with another one
  assert.deepEqual([report.queryCount, report.hopelessCount], [6, 2]);
  assert.deepEqual([report.judgements.missingCount, report.judgements.judgementCount], [1, 4]);
  assert.ok(Math.abs(report.judgements.chance! - 4 / 5 / 6) < 1e-12);
});

test('neighbors without a label count as not relevant, and not at all in the second figures', async () => {
  const some = table('some.tsv', [
    ['url', 'tags'],
    ['https://garden.example/soil', 'ground'],
    ['https://orchard.example/prune', 'ground'],
  ]);
  const { neighbors, queryCount } = await evaluate(index, '--labels', some, '--at', '1');
  assert.equal(queryCount, 2);
  assert.equal(neighbors[0]!.judged.precision, 1);
  assert.ok(neighbors[0]!.precision < 1);
});

test('the lists of an exact index hold all exact neighbors, those of the printed setting not more', async () => {
  assert.equal((await evaluate(index, '--labels', labels)).recall!.recall, 1);
  const { recall, sCurve } = await evaluate(printed, '--labels', labels);
  assert.ok(recall === null || recall.recall <= 1);
  assert.ok(sCurve !== null);
  assert.deepEqual([sCurve.m, sCurve.k, sCurve.l, sCurve.leastAgreement], [80, 3, 125, 16]);
});

test('the verdict and the examples are those of the answers of the service', async () => {
  const { verdict, examples, judgements } = await evaluate(index, '--labels', labels, '--at', '1,2');
  assert.equal(examples.k, 2);
  const sameTopic = (url: string, other: string) => topicOf(url) === topicOf(other);
  const [share, chance] = [await relevantAmong(2, sameTopic), judgements.chance!];
  const held = await relevantAmong(2, () => true);
  assert.equal(
    verdict,
    `Of the two nearest labelled pages, lists hold ${Math.round(100 * held)} %; ` +
      `of these ${Math.round((100 * share) / held)} % share a label with the page; ` +
      `by chance ${Math.round(100 * chance)} % would.`,
  );
  const shown = [...examples.best, ...examples.worst];
  assert.equal(new Set(shown.map(({ url }) => url)).size, shown.length);
  assert.ok(examples.best.length > 0 && examples.worst.length > 0);
  // soil and oven are alone in their topics: their lists could not be better
  for (const { url } of shown) assert.doesNotMatch(url, /soil|oven/);
  for (const { url, neighbors } of shown) {
    const { stdout } = await akin(['related', index, url, '--limit', '2', '--json']);
    const { related } = JSON.parse(stdout) as { related: { url: string; similarity: number }[] };
    assert.deepEqual(
      neighbors.map((other) => [other.url, other.similarity.toFixed(6), other.isRelevant]),
      related.map((other) => [other.url, other.similarity.toFixed(6), sameTopic(url, other.url)]),
    );
  }
  const hits = (pages: readonly PageExample[]) =>
    pages.flatMap((page) => page.neighbors).filter((n) => n.isRelevant);
  assert.ok(hits(examples.best).length >= hits(examples.worst).length);
});

test('every similarity of a sampled page is that of the two bags', () => {
  const reader = IndexReader.open(index);
  try {
    const sample = [4, 1];
    const seen = new Map<string, number>();
    visitSimilarities(reader, 1, sample, (position, page, similarity) => {
      seen.set(`${sample[position]} ${page}`, similarity);
    });
    for (const page of sample) {
      for (let other = 0; other < reader.pageCount; other++) {
        const expected = page === other ? 0 : plainSimilarity(reader.bag(1, page), reader.bag(1, other));
        assert.equal(seen.get(`${page} ${other}`) ?? 0, expected);
      }
    }
  } finally {
    reader.close();
  }
});

test('labels that are paths are compared as a tree, unless --separator says otherwise', async () => {
  const asTree = await evaluate(index, '--labels', labels);
  // gardens are more like gardens than like kitchens
  assert.ok(asTree.gamma!.gamma > 0.5);
  assert.equal(asTree.gamma!.separator, '/');
  assert.ok(asTree.clusters.every(({ topQuality }) => topQuality !== null));
  const flat = await evaluate(index, '--labels', labels, '--separator', 'none');
  assert.equal(flat.gamma, null);
  assert.ok(flat.clusters.every(({ topQuality, quality }) => topQuality === null && quality !== null));
});

test('every level of clusters counts every page', async () => {
  const { clusters } = await evaluate(index, '--labels', labels);
  assert.ok(clusters.length > 1);
  for (const { sizes, clusterCount } of clusters) {
    assert.equal(
      sizes.reduce((sum, { members }) => sum + members, 0),
      6,
    );
    assert.equal(
      sizes.reduce((sum, { groups }) => sum + groups, 0),
      clusterCount,
    );
  }
});

test('the largest cluster is the largest of all, also where its pages are known by links alone', async () => {
  const linksTo = (name: string, count: number, textOf: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => `<a href="http://${name}${i}.example/">${textOf(i)}</a>`).join(
      '<p>',
    );
  const links =
    linksTo('far', 9, () => 'velvet lantern harbour') +
    linksTo('other', 12, (i) => `${'abcdefghijkl'[i]}ontext ${'mnopqrstuvwx'[i]}ilence`);
  const source = join(folder, 'links.jsonl');
  const pages = ['orchard pear', 'orchard plum', 'quarry slate', 'meadow clover'].map((words, i) => ({
    url: `http://near.example/${i}`,
    html: `<p>${`${words} `.repeat(9)}</p>${i === 3 ? links : ''}`,
  }));
  writeFileSync(source, pages.map((page) => JSON.stringify(page)).join('\n'));
  const target = join(folder, 'links.akin');
  const { code, stderr } = await akin(['index', source, '--to', target, '--set', 'window=0', ...SMALL]);
  assert.equal(code, 0, stderr);
  const judged = table('links.tsv', [
    ['url', 'label'],
    ['http://near.example/0', 'Fruit'],
    ['http://near.example/1', 'Fruit'],
  ]);
  const { clusters } = await evaluate(target, '--labels', judged);
  assert.equal(clusters[0]!.largest, 9);
});

test('judged pairs give grades to nDCG, and relevance from a grade on', async () => {
  const pairs = table('pairs.tsv', [
    ['url_a', 'url_b', 'grade'],
    ['https://kitchen.example/bread', 'https://kitchen.example/yeast', 1],
    ['https://kitchen.example/bread', 'https://garden.example/roses', 0],
  ]);
  const report = await evaluate(index, '--labels', pairs, '--at', '5');
  assert.deepEqual([report.queryCount, report.hopelessCount, report.judgements.chance], [3, 1, null]);
  assert.ok(report.neighbors[0]!.precision > 0);
  assert.ok(report.clusters.every(({ quality }) => quality === null));
  const strict = await evaluate(index, '--labels', pairs, '--at', '5', '--relevant-from', '2');
  assert.equal(strict.neighbors[0]!.precision, 0);
  assert.equal(strict.hopelessCount, 3, 'no page of a grade that is relevant');
  const warned = await akin(['evaluate', index, '--labels', pairs, '--at', '5', '--relevant-from', '2']);
  assert.match(warned.stderr, /no grade is as great as --relevant-from 2, .*; the greatest is 1\n/);
  assert.equal(strict.neighbors[0]!.ndcg, report.neighbors[0]!.ndcg);
});

test('the text names every figure and how unlabelled neighbors are counted', async () => {
  const { code, stdout, stderr } = await akin(['evaluate', index, '--labels', labels]);
  assert.equal(code, 0, stderr);
  for (const part of [
    /^recall@10 +1\.000 /m,
    /^Gamma +[01]\.\d{3}, among class and siblings /m,
    / k +P@k +hit@k +nDCG@k +P@k \(labelled\)/,
    /^Level +Clusters .* V-measure +Homogeneity +Completeness/m,
    /not labelled counts as not relevant/,
  ]) {
    assert.match(stdout, part);
  }
  assert.doesNotMatch(stdout, /NaN|undefined/);
});

test('the page is well-formed, whole in itself, without script, and holds the plots of its profile', async () => {
  const html = join(folder, 'report.html');
  const odd = table('odd <b>&.tsv', [
    ['url', 'label'],
    ['https://kitchen.example/bread', '<script>'],
  ]);
  for (const [file, given] of [
    [index, labels],
    [printed, labels],
    [index, odd],
  ] as const) {
    const { code, stderr } = await akin(['evaluate', file, '--labels', given, '--html', html]);
    assert.equal(code, 0, stderr);
    const page = readFileSync(html, 'utf8');
    const faults: string[] = [];
    parse(page, { onParseError: ({ code: fault }) => faults.push(fault) });
    assert.deepEqual(faults, []);
    assert.doesNotMatch(
      page,
      /<script|<link|<img| src=| href="(?!https:)|@import|url\(|NaN|undefined|Infinity/,
    );
    assert.match(page, /prefers-color-scheme: dark/);
    for (const plot of ['Similarity of the neighbors', 'Time of the build']) {
      assert.ok(page.includes(`aria-label="${plot}"`), plot);
    }
    // the plot of the signatures, where the profile makes any
    assert.equal(page.includes('aria-label="Pairs found, by similarity"'), file === printed);
    const [, verdict] = /<p class="verdict">Of the five nearest labelled pages, ([^<]+)/.exec(page)!;
    // In so small a garden no page is as near as the printed lists ask for.
    if (file === printed || given === odd) assert.equal(verdict, 'lists hold none.');
    else assert.match(verdict!, /^lists hold \d+ %; of these \d+ % share a label with the page; by chance/);
    assert.ok(page.includes('aria-label="Cluster sizes, level 0"'));
  }
});

test('what cannot be used is refused with its place', async () => {
  const bad = table('bad.tsv', [
    ['url', 'label'],
    ['https://kitchen.example/bread', 'a'],
    ['bread', 'b'],
  ]);
  const twice = table('twice.tsv', [
    ['url_a', 'url_b', 'grade'],
    ['https://kitchen.example/bread', 'https://kitchen.example/oven', 1],
    ['https://kitchen.example/oven', 'https://kitchen.example/bread', 2],
  ]);
  const pairs = table('one-pair.tsv', [
    ['url_a', 'url_b', 'grade'],
    ['https://kitchen.example/bread', 'https://kitchen.example/oven', 1],
  ]);
  const foreign = table('foreign.tsv', [
    ['url', 'label'],
    ['https://nowhere.example/', 'a'],
  ]);
  const half = table('half.tsv', [
    ['url_a', 'url_b', 'grade'],
    ['https://kitchen.example/bread', 'https://nowhere.example/', 1],
  ]);
  const judged = table('web.qrels', [
    ['url', 'label'],
    ['https://kitchen.example/bread', 'a'],
  ]);
  const fractions = table('fractions.tsv', [
    ['url_a', 'url_b', 'grade'],
    ['https://kitchen.example/bread', 'https://kitchen.example/yeast', 0.5],
  ]);
  const link = join(folder, 'link.akin');
  symlinkSync(index, link);
  const before = [index, printed, labels].map((path) => readFileSync(path));
  const failures: [number, string[], RegExp][] = [
    [3, ['--labels', bad], /bad\.tsv:3: column url: "bread" is not an http\(s\) URL/],
    [3, ['--labels', twice], /twice\.tsv:3: column grade: line 2 judges this pair too/],
    [3, ['--labels', foreign], /none of the pages in .* are in the index/],
    [3, ['--labels', half], /no pair of .*half\.tsv; on line 2, https:\/\/nowhere.* is not in the index/],
    [3, ['--labels', join(folder, 'no.tsv')], /cannot read the labels/],
    [3, ['--labels', labels, '--html', join(folder, 'no', 'report.html')], /the folder .* does not exist/],
    [2, ['--labels', labels, '--html', folder], /is a folder\nhint: give a file: --html report\.html/],
    [
      2,
      ['--labels', labels, '--html', index],
      /garden\.akin is an input of this command; the report would replace it/,
    ],
    [2, ['--labels', labels, '--html', link], /link\.akin is an input of this command/],
    [2, ['--labels', labels, '--html', printed], /printed\.akin is an index; the report would replace it/],
    [2, ['--labels', labels, '--html', labels], /labels\.tsv is an input of this command/],
    [2, ['--labels', labels, '--html', '/dev/null'], /is not a plain file/],
    [2, ['--labels', judged, '--trec', join(folder, 'web')], /web\.qrels is an input of this command/],
    [3, ['--labels', fractions, '--trec', join(folder, 'half')], /judgements are whole numbers; one is 0\.5/],
    [
      2,
      ['--labels', labels, '--at', '10,33'],
      /--at 33 is longer than the lists of the index, which hold 32 pages/,
    ],
    [2, ['--labels', labels, '--seed', '4294967296'], /--seed is "4294967296"/],
    [2, ['--labels', labels, '--at', '1,x'], /--at is "x"/],
    [2, ['--labels', labels, '--sample', '0'], /--sample is "0"/],
    [2, ['--labels', labels, '--separator', '-'], /'-' is invalid\. Allowed choices are auto, \/, \., none/],
    [2, ['--labels', labels, '--relevant-from', '0'], /--relevant-from is "0"/],
    [2, ['--labels', labels, '--relevant-from', '2'], /--relevant-from is for the grades of judged pairs/],
    [2, ['--labels', pairs, '--separator', '/'], /--separator is for labels of pages; .* has judged pairs/],
    [2, ['--labels', labels, '--label-column', 'colour'], /no column colour/],
    [2, [], /--labels/],
  ];
  for (const [expected, argv, message] of failures) {
    const { code, stdout, stderr } = await akin(['evaluate', index, ...argv]);
    assert.equal(code, expected, `${argv.join(' ')}: ${stderr}`);
    assert.equal(stdout, '');
    assert.match(stderr, message);
    assert.match(stderr, /\nhint: .+\n$/);
  }
  assert.deepEqual(
    [index, printed, labels].map((path) => readFileSync(path)),
    before,
  );
});

test('a report replaces an older one whole, and leaves nothing else behind', async () => {
  const place = mkdtempSync(join(folder, 'place-'));
  const html = join(place, 'report.html');
  writeFileSync(html, 'older');
  const { code, stderr } = await akin([
    'evaluate',
    index,
    '--labels',
    labels,
    '--seed',
    '4294967295',
    '--html',
    html,
  ]);
  assert.equal(code, 0, stderr);
  assert.match(readFileSync(html, 'utf8'), /^<!doctype html>[\s\S]*<\/html>\s*$/i);
  assert.deepEqual(readdirSync(place), ['report.html']);
});
