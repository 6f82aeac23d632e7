import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { newFolder } from '../../new-folder.ts';
import { GARDEN_JSONL, GARDEN_PAGES, topicOf } from '../garden.ts';
import { akin } from '../terminal.ts';

test('files for TREC have the lists in their order, and what is judged of them', async (t) => {
  const folder = newFolder('trec');
  t.after(() => rmSync(folder, { recursive: true }));
  const index = join(folder, 'garden.akin');
  const prefix = join(folder, 'garden');
  const source = join(folder, 'garden.jsonl');
  writeFileSync(source, GARDEN_JSONL);
  const labels = join(folder, 'labels.tsv');
  writeFileSync(
    labels,
    ['url\tlabel', ...GARDEN_PAGES.map(({ url }) => `${url}\t${topicOf(url)}`), ''].join('\n'),
  );
  for (const argv of [
    ['index', source, '--to', index, '--max-df', '1', '--min-df', '1', '--workers', '1'],
    ['evaluate', index, '--labels', labels, '--trec', prefix],
  ]) {
    const { code, stderr } = await akin(argv);
    assert.equal(code, 0, stderr);
  }
  const linesOf = (ending: string) =>
    readFileSync(`${prefix}.${ending}`, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' '));
  const { stdout } = await akin(['export', index, '--what', 'related', '--format', 'json']);
  const rows: { url: string; related_url: string; rank: number }[] = JSON.parse(stdout);
  const run = linesOf('run');
  assert.deepEqual(
    run.map(([topic, , page, rank]) => `${topic} ${rank} ${page}`).sort(),
    rows.map((row) => `${row.url} ${row.rank} ${row.related_url}`).sort(),
  );
  for (const [topic, , , rank, score] of run) {
    assert.equal(Number(rank) + Number(score), run.filter(([other]) => other === topic).length + 1);
  }
  const others = (url: string) => GARDEN_PAGES.filter((page) => page.url !== url).map((page) => page.url);
  const judged = GARDEN_PAGES.flatMap(({ url }) => others(url).map((other) => [url, other] as const));
  const isListed = ([url, other]: readonly [string, string]) =>
    run.some(([topic, , page]) => topic === url && page === other);
  const isAlike = ([url, other]: readonly [string, string]) => topicOf(url) === topicOf(other);
  assert.deepEqual(
    linesOf('qrels')
      .map(([topic, , page, grade]) => `${topic} ${page} ${grade}`)
      .sort(),
    judged
      .filter((pair) => isAlike(pair) || isListed(pair))
      .map((pair) => `${pair[0]} ${pair[1]} ${Number(isAlike(pair))}`)
      .sort(),
  );
});
