import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { EvaluationReport } from '../../../src/cli/evaluate/report.ts';
import { newFolder } from '../../new-folder.ts';
import { GARDEN_JSONL, GARDEN_PAGES, topicOf } from '../garden.ts';
import { akin, reportOf } from '../terminal.ts';

const folder = newFolder('feedback');
const index = join(folder, 'garden.akin');
/** A page that the second sweep did not find any more. */
const GONE = 'https://garden.example/fence';

before(async () => {
  const gone = { url: GONE, text: 'Roses want sun, and a fence of wood.' };
  const sweeps = [
    `${GARDEN_JSONL}${JSON.stringify(gone)}\n`,
    `${JSON.stringify({ url: GONE, status: 404 })}\n${GARDEN_JSONL}`,
  ];
  const sources = sweeps.map((sweep, i) => {
    const path = join(folder, `garden-${i}.jsonl`);
    writeFileSync(path, sweep);
    return path;
  });
  const shares = ['--max-df', '1', '--min-df', '1', '--set', 'cluster-at=.4'];
  const options = [...shares, '--workers', '1', '--sweep-per-input'];
  const { code, stderr } = await akin(['index', ...sources, '--to', index, ...options]);
  assert.equal(code, 0, stderr);
});
after(() => rmSync(folder, { recursive: true }));

test('feedback is measured by the lists of the service, and what it cannot use is counted', async () => {
  const [first, second] = GARDEN_PAGES.map(({ url }) => url) as [string, string];
  const listOf = async (url: string) => {
    const { stdout } = await akin(['related', index, url, '--json']);
    return (JSON.parse(stdout) as { related: { url: string }[] }).related.map((page) => page.url);
  };
  const [ofFirst, ofSecond] = [await listOf(first), await listOf(second)];
  const line = (url: string, related_url: string, judgement: string, more: object = {}) =>
    JSON.stringify({ url, related_url, judgement, ...more });
  const path = join(folder, 'feedback.jsonl');
  writeFileSync(
    path,
    [
      line(first, ofFirst[0]!, 'better'),
      line(first, ofFirst[0]!, 'better'),
      line(first, ofFirst[0]!, 'worse'),
      line(first, ofFirst[1]!, 'worse'),
      line(second, ofSecond[0]!, 'worse'),
      line(second, ofSecond[1]!, 'better'),
      line(GARDEN_PAGES[3]!.url, first, 'better'),
      line(GARDEN_PAGES[3]!.url, first, 'worse'),
      line(second, 'https://nowhere.example/', 'better'),
      line(second, GONE, 'better'),
      line(GONE, first, 'better'),
      line(second, ofSecond[1]!, 'better', { by: 'copy' }),
      '{"url":"https://torn.exam',
    ].join('\n'),
  );
  const { code, stdout, stderr } = await akin([
    'evaluate',
    index,
    '--feedback',
    path,
    '--at',
    '1,2',
    '--json',
  ]);
  assert.equal(code, 0, stderr);
  // biome-ignore lint/suspicious/noExplicitAny: a report is checked by what the test says of it
  const { feedback, lists, order } = reportOf<any>(stdout);
  assert.deepEqual(feedback, {
    path,
    judgementCount: 12,
    unreadableCount: 1,
    otherRelationCount: 1,
    missingCount: 3,
    splitCount: 1,
    pageCount: 2,
    betterCount: 2,
    worseCount: 2,
  });
  assert.deepEqual(
    lists.map((row: { shownCount: number; precision: { ratio: number } }) => [
      row.shownCount,
      row.precision.ratio,
    ]),
    [
      [2, 1 / 2],
      [4, 1 / 2],
    ],
  );
  assert.deepEqual([order.agreeing, order.opposed, order.tied], [1, 1, 0]);
  const text = await akin(['evaluate', index, '--feedback', path]);
  assert.match(text.stdout, /^order +0\.500 /m);
  for (const [argv, what] of [
    [[], /nothing to measure against/],
    [['--feedback', path, '--labels', path], /--labels has no effect with --feedback/],
    [['--feedback', path, '--html', 'x.html'], /--html has no effect/],
    [['--feedback', join(folder, 'none.jsonl')], /cannot read the feedback/],
  ] as const) {
    const refused = await akin(['evaluate', index, ...argv]);
    assert.notEqual(refused.code, 0);
    assert.match(refused.stderr, what);
  }
});

test('a page that is gone is labelled in vain, as one that is not in the index', async () => {
  const path = join(folder, 'labels.tsv');
  const rows = [...GARDEN_PAGES.map(({ url }) => [url, topicOf(url)]), [GONE, 'Garden/Flowers']];
  writeFileSync(path, `url\tlabel\n${rows.map((row) => `${row.join('\t')}\n`).join('')}`);
  const { stdout } = await akin(['evaluate', index, '--labels', path, '--json']);
  const { queryCount, judgements, clusters } = reportOf<EvaluationReport>(stdout);
  assert.deepEqual([queryCount, judgements.pageCount, judgements.missingCount], [6, 6, 1]);
  // Of six pages that are there.
  const [finest] = clusters;
  assert.ok(finest!.sizes[0]!.groups > 0);
  assert.equal(finest!.aloneShare, finest!.sizes[0]!.groups / 6);
});
