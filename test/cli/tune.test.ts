import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { GARDEN_JSONL } from './garden.ts';
import { akin } from './terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'akin-tune-test-'));
const index = join(folder, 'web.akin');
after(() => rmSync(folder, { recursive: true }));

/** A linear congruential generator, as in the C standard. */
let state = 7;
const below = (bound: number) => {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return Math.floor(((state >>> 8) / 2 ** 24) * bound);
};
const vocabulary = Array.from(
  { length: 200 },
  (_, i) =>
    `q${String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26))}x${String.fromCharCode(97 + (i % 7))}z`,
);
const TOPICS = 6;
const PAGES = 240;
/** The words of a page are drawn at random and say nothing; what it links to tells its subject. */
const text = () => Array.from({ length: 60 }, () => vocabulary[below(vocabulary.length)]).join(' ');
const pages = Array.from({ length: PAGES }, (_, i) => ({
  url: `https://site${i % 3}.example/page/${i}`,
  html: `<p>${text()}</p>${Array.from(
    { length: 4 },
    () => `<a href="https://hubs.example/${i % TOPICS}/${below(5)}"></a>`,
  ).join('')}`,
}));

function labels(name: string, labelOf: (i: number) => string): string {
  const path = join(folder, name);
  writeFileSync(path, `url\tlabel\n${pages.map(({ url }, i) => `${url}\t${labelOf(i)}\n`).join('')}`);
  return path;
}
const bySubject = labels('subject.tsv', (i) => `subject ${i % TOPICS}`);
const byChance = labels('chance.tsv', () => `chance ${below(TOPICS)}`);

before(async () => {
  const source = join(folder, 'pages.jsonl');
  const hubs = Array.from({ length: TOPICS * 5 }, (_, i) => ({
    url: `https://hubs.example/${Math.floor(i / 5)}/${i % 5}`,
    text: text(),
  }));
  writeFileSync(source, [...pages, ...hubs].map((page) => `${JSON.stringify(page)}\n`).join(''));
  const { code, stderr } = await akin([
    'index',
    source,
    '--to',
    index,
    '--parts',
    'content',
    '--workers',
    '1',
  ]);
  assert.equal(code, 0, stderr);
});

test('where links tell the subject it says so, and an index with its options has the gain', async () => {
  const { code, stdout, stderr } = await akin(['tune', index, '--labels', bySubject, '--json']);
  assert.equal(code, 0, stderr);
  const report = JSON.parse(stdout);
  assert.ok(report.isBetter && report.after > report.before + 0.2, stdout);
  assert.match(report.options, /^--parts content=[\d.]+,.*out=/);
  assert.equal(report.tunedCount + report.toldCount, PAGES);
  const better = join(folder, 'better.akin');
  const built = await akin(['index', index, '--to', better, '--workers', '1', ...report.options.split(' ')]);
  assert.equal(built.code, 0, built.stderr);
  const precision = async (file: string) => {
    const evaluated = await akin(['evaluate', file, '--labels', bySubject, '--at', '10', '--json']);
    return JSON.parse(evaluated.stdout).neighbors[0].judged.precision as number;
  };
  assert.ok(Math.abs((await precision(index)) - report.before) < 0.05);
  assert.ok((await precision(better)) > (await precision(index)) + 0.2);
});

test('labels that mean nothing find no gain, and nothing is left behind', async () => {
  const { code, stdout, stderr } = await akin(['tune', index, '--labels', byChance]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^No change is better beyond doubt/);
  assert.deepEqual(
    readdirSync(tmpdir()).filter(
      (name) => /^akin-tune-\w+$/.test(name) && existsSync(join(tmpdir(), name, 'tune.akin.work')),
    ),
    [],
  );
});

test('without labels folders can judge; a judge that knows too little is refused', async () => {
  const sections = await akin(['tune', index, '--judge', 'sections', '--json']);
  assert.equal(sections.code, 0, sections.stderr);
  assert.equal(JSON.parse(sections.stdout).judge, 'sections');
  const source = join(folder, 'garden.jsonl');
  const small = join(folder, 'garden.akin');
  writeFileSync(source, GARDEN_JSONL);
  assert.equal((await akin(['index', source, '--to', small, '--workers', '1'])).code, 0);
  const refused = await akin(['tune', small]);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /says too little .* 6 by links, 5 by sections/);
});

test('flags that have no effect are refused', async () => {
  for (const [argv, what] of [
    [['--labels', bySubject, '--judge', 'links'], /--judge is for collections without labels/],
    [['--label-column', 'label'], /--label-column is for labels/],
    [['--judge', 'taste'], /--judge is "taste"/],
    [['--sample', '3'], /--sample is "3"/],
  ] as const) {
    const { code, stderr } = await akin(['tune', index, ...argv]);
    assert.equal(code, 2);
    assert.match(stderr, what);
  }
});
