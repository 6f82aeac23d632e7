import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { keptSettings } from '../../src/cli/tune/kept-settings.ts';
import { readStoredOptions } from '../../src/indexer/options/stored-options.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { longTest } from '../long-test.ts';
import { GARDEN_JSONL } from './garden.ts';
import { akin } from './terminal.ts';
import { createBelow, folder, makeIndex, randomText, TOPICS, tune } from './tune-web.ts';

const index = join(folder, 'web.akin');
const COUNT = 96;
const below = createBelow();
const text = () => randomText(below);
/**
 * The words of a page are drawn at random and say nothing; what it links to tells its subject. Some of that was never
 * read, and stands in the lists of an index with parts by links.
 */
const pages = Array.from({ length: COUNT }, (_, i) => ({
  url: `https://site${i % 3}.example/page/${i}`,
  html: `<p>${text()}</p>${Array.from(
    { length: 4 },
    () => `<a href="https://hubs.example/${i % TOPICS}/${below(5)}"></a>`,
  ).join('')}<a href="https://unread.example/${Math.floor(i / 5)}">${text().slice(0, 30)}</a>`,
}));

const hubs = Array.from({ length: TOPICS * 5 }, (_, i) => ({
  url: `https://hubs.example/${Math.floor(i / 5)}/${i % 5}`,
  text: text(),
}));

function labels(name: string, labelOf: (i: number) => string, hubLabelOf?: (i: number) => string): string {
  const path = join(folder, name);
  const rows = pages.map(({ url }, i) => `${url}\t${labelOf(i)}\n`);
  if (hubLabelOf) rows.push(...hubs.map(({ url }, i) => `${url}\t${hubLabelOf(i)}\n`));
  writeFileSync(path, `url\tlabel\n${rows.join('')}`);
  return path;
}
const subject = (topic: number) => `${topic % 2 === 0 ? 'even' : 'odd'}/subject ${topic}`;
const bySubject = labels(
  'subject.tsv',
  (i) => subject(i % TOPICS),
  (i) => subject(Math.floor(i / 5)),
);
const byChance = labels('chance.tsv', () => `chance ${below(TOPICS)}`);

before(async () => {
  assert.equal(await makeIndex('web', [[...pages, ...hubs]], '--parts', 'content'), index);
});

/** Of each page the pages of its stored list, best first, and the label of each page; '' of one that was never read. */
function storedLists(file: string) {
  const reader = IndexReader.open(file);
  const labelOf = [...reader.pages()].map(({ url, fetched }) => {
    if (!fetched) return '';
    const page = pages.findIndex((own) => own.url === url);
    return subject(page >= 0 ? page % TOPICS : Number(url.split('/')[3]));
  });
  const lists = labelOf.flatMap((label, page) =>
    label === '' ? [] : [{ page, list: [...reader.neighbors(1, page).ids] }],
  );
  reader.close();
  return { labelOf, lists };
}

/** What a report tells of both halves, for all pages. */
const ofAll = (
  means: { tuned: number; heldOut: number },
  { tunedCount, heldOutCount }: Record<string, number>,
) => (means.tuned * tunedCount! + means.heldOut * heldOutCount!) / (tunedCount! + heldOutCount!);

longTest(
  'where links tell the subject it says so, and the lists of an index with its options give what it tells',
  async () => {
    const report = await tune(index, '--labels', bySubject);
    assert.ok(report.isBetter && report.after.heldOut > report.before.heldOut + 0.2);
    assert.match(report.options, /^--parts content=[\d.]+,.*out=/);
    assert.equal(report.tunedCount + report.heldOutCount, COUNT + hubs.length);
    const better = await makeIndex('better', [[...pages, ...hubs]], ...report.options.split(' '));
    assert.equal(report.unreadCount, 20);
    for (const [file, means] of [
      [index, report.before],
      [better, report.after],
    ]) {
      const { labelOf, lists } = storedLists(file);
      let hits = 0;
      for (const { page, list } of lists) {
        hits += list.slice(0, 10).filter((other) => labelOf[other] === labelOf[page]).length;
      }
      assert.ok(Math.abs(hits / lists.length / 10 - ofAll(means, report)) < 1e-9, file);
    }
  },
);

longTest('by classes it tells the Gamma of stored lists', async () => {
  const report = await tune(index, '--labels', bySubject, '--objective', 'gamma');
  assert.ok(report.isBetter && report.measure === 'gamma');
  const { labelOf, lists } = storedLists(index);
  const distance = (a: number, b: number) => {
    if (labelOf[a] === labelOf[b]) return 0;
    return labelOf[a]!.split('/')[0] === labelOf[b]!.split('/')[0] ? 1 : 2;
  };
  let sum = 0;
  for (const { page, list } of lists) {
    const others = lists.flatMap((other) => (other.page === page ? [] : [other.page]));
    const ranks = others.map((other) => ({
      rank: list.includes(other) ? list.indexOf(other) : 1000,
      distance: distance(page, other),
    }));
    let [agreeing, opposed] = [0, 0];
    // Pairs of pages that are not listed say nothing.
    for (const a of ranks.filter(({ rank }) => rank < 1000)) {
      for (const b of ranks) {
        if (a.rank < b.rank && a.distance < b.distance) agreeing++;
        if (a.rank < b.rank && a.distance > b.distance) opposed++;
      }
    }
    sum += agreeing + opposed === 0 ? 0 : (agreeing - opposed) / (agreeing + opposed);
  }
  assert.ok(Math.abs(sum / lists.length - ofAll(report.before, report)) < 1e-9);
  const flat = await akin(['tune', index, '--labels', byChance, '--objective', 'gamma']);
  assert.equal(flat.code, 2);
  assert.match(flat.stderr, /are no paths of classes/);
});

test('labels that mean nothing find no gain, and nothing is left behind', async () => {
  const temporary = mkdtempSync(join(folder, 'own-'));
  const { TMPDIR: before } = process.env;
  process.env['TMPDIR'] = temporary;
  const { code, stdout, stderr } = await akin(['tune', index, '--labels', byChance]);
  if (before === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before;
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^No change is better beyond doubt/);
  assert.match(stdout, /order by similarity, no votes/);
  assert.deepEqual(readdirSync(temporary), []);
});

test('a judge that knows too little is refused', async () => {
  const source = join(folder, 'garden.jsonl');
  const small = join(folder, 'garden.akin');
  writeFileSync(source, GARDEN_JSONL);
  assert.equal((await akin(['index', source, '--to', small, '--workers', '1'])).code, 0);
  const refused = await akin(['tune', small]);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /says too little .* \d by links, 5 by sections, 0 by sweeps/);
});

test('the command that is proposed has what the index was built with besides', async () => {
  const best = {
    parts: { content: 0.9, anchor: 0.1 },
    kernel: 'jaccard',
    meaningShare: 0,
    meaningVectors: '',
    lend: 0,
  } as const;
  const stopWords = join(folder, 'stop.txt');
  writeFileSync(stopWords, 'the\nof\n');
  for (const [name, said] of Object.entries({
    several:
      '--stop-words FILE --max-df 0.9 --neighbors 12 --recall 1 --copy-clusterings 0.5,0.9 --fields day:date,kind',
    bare: '--ignore .menu --set window=4 --no-copies --no-search --keep-titles',
    plain: '',
  })) {
    const flags = said.split(' ').filter(Boolean);
    const path = await makeIndex(name, [hubs], ...flags.map((flag) => (flag === 'FILE' ? stopWords : flag)));
    assert.equal(keptSettings(readStoredOptions(path), best).join(' '), said);
  }
  const stored = { ...readStoredOptions(join(folder, 'bare.akin')), ignore: "a[title='it'] b", floor: 0.05 };
  assert.deepEqual(keptSettings(stored, { ...best, kernel: 'bm25' }).slice(0, 2), [
    "--ignore 'a[title='\\''it'\\''] b'",
    '--set window=4',
  ]);
  const flags = '--parts content --neighbors 12 --fields kind'.split(' ');
  await makeIndex('kept', [[...pages, ...hubs]], ...flags);
  const command = await akin(['tune', join(folder, 'kept.akin'), '--labels', bySubject]);
  assert.match(
    command.stdout,
    /\n {2}akin index \S+ --to NEW\.akin --parts .* --neighbors 12 --fields kind\n/,
  );
});

test('flags that have no effect are refused', async () => {
  for (const [argv, what] of [
    [['--labels', bySubject, '--judge', 'links'], /--judge is for collections without labels/],
    [['--label-column', 'label'], /--label-column is for labels/],
    [['--objective', 'gamma'], /--objective is for labels/],
    [
      ['--labels', bySubject, '--objective', 'taste'],
      /'taste' is invalid\. Allowed choices are precision, gamma/,
    ],
    [['--judge', 'taste'], /'taste' is invalid\. Allowed choices are links, sections, sweeps/],
    [['--sample', '3'], /--sample is "3"/],
  ] as const) {
    const { code, stderr } = await akin(['tune', index, ...argv]);
    assert.equal(code, 2);
    assert.match(stderr, what);
  }
});

test('labels of a few pages prove nothing, and are refused', async () => {
  const path = join(folder, 'few.tsv');
  const lines = (count: number) => pages.slice(0, count).map(({ url }, i) => `${url}\t${i % 2}\n`);
  // Two that share their label with none do not count.
  const others = hubs.slice(0, 2).map(({ url }, i) => `${url}\talone ${i}\n`);
  writeFileSync(path, `url\tlabel\n${[...lines(49), ...others].join('')}`);
  const few = await akin(['tune', index, '--labels', path]);
  assert.equal(few.code, 2);
  assert.match(few.stderr, /of the pages in the index that it labels, 49 share a label with another/);
  assert.match(few.stderr, /give labels of at least 50 such pages/);
  writeFileSync(path, `url\tlabel\n${lines(50).join('')}`);
  const enough = await akin(['tune', index, '--labels', path]);
  assert.equal(enough.code, 0, enough.stderr);
});
