/** What pages that wait were made into is found again by the next start, and believed only where it is what was written for this index and this page. */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { buildIndex } from '../../../src/indexer/build-index.ts';
import { additionTo } from '../../../src/indexer/options/stored-options.ts';
import { Random } from '../../../src/lib/random.ts';
import type { LiveOptions } from '../../../src/service/app.ts';
import { catchUp } from '../../../src/service/live/catch-up.ts';
import type { RunFold } from '../../../src/service/live/folds.ts';
import { knownPages } from '../../../src/service/live/known-pages.ts';
import { ReadyReader } from '../../../src/service/live/ready-pages.ts';
import { JournalReader } from '../../../src/store/journal/journal-reader.ts';
import { PageJournal } from '../../../src/store/journal/page-journal.ts';
import { ReadyFile } from '../../../src/store/journal/ready-file.ts';
import { DEFAULTS, input, noting } from '../../indexer/build.ts';
import { longTest } from '../../long-test.ts';
import { fixtureApp, pathOf } from '../fixture-app.ts';
import { BAKERY, buildFixture, fixturePages, GARDEN, temporaryFolder } from '../fixture-index.ts';
import { LIMITS, lines, NDJSON, refused } from '../routes/writable.ts';

const first = join(temporaryFolder({ after }), 'first.akin');
await buildFixture(first);

/** The files as `kill -9` would leave them now. */
function copied(path: string): string {
  const copy = join(temporaryFolder({ after }), 'copied.akin');
  for (const end of ['', '.pages', '.pages-wal', '.pages.ready', '.pages.ready-wal'])
    if (existsSync(path + end)) copyFileSync(path + end, copy + end);
  return copy;
}

const started = (path: string, live: Partial<LiveOptions> = {}) =>
  fixtureApp(path, { live: { ...LIMITS, run: refused, ...live } });

const NEW = 'https://new.example/';
const NAMES = Array.from({ length: 12 }, (_, i) => `${NEW}${i}`);
const html = (i: number) => fixturePages()[i]!.html.replace('</p>', ` waiting${i} rose dough</p>`);
/** Written behind the answer. */
const written = () => new Promise((resolve) => setTimeout(resolve, 20));

async function handOver(app: FastifyInstance): Promise<void> {
  const urls = [...NAMES, `${GARDEN}3`, `${BAKERY}2`];
  const records = urls.map((url, i) => ({ url, html: html(3 * i) }));
  const gone = [`${GARDEN}4`, `${BAKERY}1`].map((url) => ({ url, status: 410 }));
  const asksNot = { url: `${GARDEN}5`, html: '<meta name="robots" content="noindex"><p>rose</p>' };
  const payload = lines([...records, asksNot, ...gone]);
  const post = async (payload: string) => {
    const { body } = await app.inject({ method: 'POST', url: '/pages', payload, headers: NDJSON });
    assert.match(body, /"failed":0/);
  };
  await post(payload);
  // Equally near to each other, all of them, and not in the order in which they came last.
  await post(lines([9, 2, 7, 4, 0].map((i) => ({ url: NAMES[i], html: html(12) }))));
  await written();
}

async function answersOf(app: FastifyInstance): Promise<string[]> {
  const urls = [...fixturePages().map(({ url }) => url), ...NAMES].filter((_, i) => i % 4 === 0);
  const paths = urls.flatMap((url) => [
    pathOf('/related', { url, explain: true, cards: true, limit: 50 }),
    pathOf('/related', { url, by: 'copy' }),
    pathOf('/page', { url }),
  ]);
  paths.push('/search?q=waiting0+rose', '/changes?sweep=live', '/pages?limit=100', '/pages/pending');
  const answers: string[] = [];
  for (const path of paths) {
    const { statusCode, headers, body } = await app.inject(path);
    answers.push(`${path} ${statusCode} ${headers['etag']} ${body}`);
  }
  return answers;
}

/** How many pages a start with these files makes ready anew, with the index of `index`. */
async function madeAnew(path: string, index = first): Promise<number> {
  const empty = join(temporaryFolder({ after }), 'empty.akin');
  copyFileSync(index, empty);
  const generation = (await started(empty)).holder.current();
  const journal = JournalReader.read(`${path}.pages`)!;
  const ready = new ReadyReader(`${path}.pages.ready`, journal.id, generation);
  let count = 0;
  await catchUp(
    async (of, records) => {
      count += records.length;
      return (await of.answer((reads) => knownPages(reads, of.local, records.join('\n')))).value;
    },
    journal,
    generation,
    ready,
    () => {},
  );
  ready.close();
  journal.close();
  return count;
}

const source = copied(first);
const app = await started(source);
await handOver(app);
const answers = await answersOf(app);
const killed = copied(source);

test('a server that was killed and starts again reads no page anew, and answers the same bytes', async () => {
  assert.equal(await madeAnew(killed), 0);
  assert.deepEqual(await answersOf(await started(copied(killed))), answers);
  const follower = await fixtureApp(copied(killed), { follow: true });
  const withoutCounts = (all: readonly string[]) => all.slice(0, -1);
  assert.deepEqual(withoutCounts(await answersOf(follower)), withoutCounts(answers));
});

test('a start without the file makes all ready, and the file', async () => {
  const path = copied(killed);
  for (const end of ['', '-wal']) writeFileSync(`${path}.pages.ready${end}`, '');
  assert.equal(await madeAnew(path), 17);
  const again = await started(path);
  assert.deepEqual(await answersOf(again), answers);
  await written();
  assert.equal(await madeAnew(copied(path)), 0);
});

async function damage(rounds: number): Promise<void> {
  await app.close();
  const random = new Random(3);
  const whole = copied(source);
  const bytes = readFileSync(`${whole}.pages.ready`);
  let [anew, kept] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    const path = copied(whole);
    const damaged = Buffer.from(bytes);
    if (round % 3 === 0)
      writeFileSync(`${path}.pages.ready`, damaged.subarray(0, random.below(bytes.length)));
    else {
      for (let i = 0; i < 1 << (round % 8); i++) damaged[random.below(bytes.length)]! ^= 1 << random.below(8);
      writeFileSync(`${path}.pages.ready`, damaged);
    }
    const count = await madeAnew(path);
    anew += count;
    kept += 17 - count;
    assert.deepEqual(await answersOf(await started(path)), answers, `round ${round}`);
  }
  assert.ok(anew > 0 && kept > 0, `${anew} made anew, ${kept} kept`);
}

test('a file that is torn or damaged anywhere costs time alone', () => damage(2));
longTest('a file that is torn or damaged in many ways', () => damage(60));

longTest('what was made for another index is not read for this one', async () => {
  const other = join(temporaryFolder({ after }), 'other.akin');
  await buildFixture(other, fixturePages(1));
  assert.equal(await madeAnew(killed, other), 17);
  const path = copied(killed);
  copyFileSync(other, path);
  const changed = await answersOf(await started(path));
  for (const end of ['', '-wal']) writeFileSync(`${path}.pages.ready${end}`, '');
  assert.deepEqual(await answersOf(await started(copied(path))), changed);
});

test('an index of the same content, built at another time, has its pages ready', async () => {
  const same = join(temporaryFolder({ after }), 'same.akin');
  await buildFixture(same, fixturePages(), { memoryBytes: 128 << 20 });
  assert.equal(await madeAnew(killed, same), 0);
});

test('a row that stands under another key, page or record is none', () => {
  const path = join(temporaryFolder({ after }), 'some.ready');
  const said = new SharedArrayBuffer(8);
  const name = { url: NEW, digest: 'd' };
  const ready = ReadyFile.open(path, 'one');
  ready.keep([{ ...name, pageId: 3, said }]);
  assert.deepEqual(ready.find(name), { pageId: 3, said });
  assert.equal(ready.find({ ...name, digest: 'e' }), undefined);
  ready.keep([{ ...name, digest: 'e', pageId: -1, said: null }]);
  assert.equal(ready.find(name), undefined, 'the last one counts');
  assert.deepEqual(ready.find({ ...name, digest: 'e' }), { pageId: -1, said: null });
  ready.close();
  assert.equal(ReadyFile.read(path, 'two'), null);
  const two = ReadyFile.open(path, 'two');
  assert.equal(two.find({ ...name, digest: 'e' }), undefined);
  two.close();
});

test('of what is deleted or folded in nothing is left in the file', async () => {
  const path = copied(first);
  const run: RunFold = async (paths, sweepName) => {
    const how = { memoryBytes: DEFAULTS.memoryBytes, workerCount: 1, isWhole: false };
    const inputs = paths.map((one) => input(one));
    await buildIndex(additionTo({ target: path, sweepName, ...how, inputs }), noting().listener);
    return true;
  };
  const folding = await started(path, { run });
  const has = (word: string) =>
    ['', '-wal'].some((end) => readFileSync(`${path}.pages.ready${end}`).includes(word));
  await handOver(folding);
  assert.ok(has('waiting0') && has('waiting3'));
  await folding.inject({ method: 'DELETE', url: pathOf('/pages', { url: `${NEW}0` }) });
  await folding.close();
  assert.deepEqual(
    [existsSync(`${path}.pages.ready-wal`), readFileSync(`${path}.pages.ready`).includes('waiting0')],
    [false, false],
  );
  const again = await started(path, { run });
  const before = statSync(`${path}.pages.ready`).size;
  await again.inject({ method: 'POST', url: '/pages/fold', headers: { prefer: 'wait=60' } });
  assert.equal((await again.inject('/pages/pending')).json().count, 0);
  assert.ok(!has('waiting3') && statSync(`${path}.pages.ready`).size < before);
  await again.inject({ method: 'PUT', url: pathOf('/pages', { url: NEW }), payload: { html: html(1) } });
  await written();
  assert.equal(await madeAnew(copied(path), path), 0, 'and those that come then are kept');
});

test('forgotten pages are taken out of the file', () => {
  const path = copied(killed);
  const journal = PageJournal.open(`${path}.pages`);
  journal.erase([`${NEW}1`]);
  journal.close();
  assert.ok(!existsSync(`${path}.pages.ready`) && !existsSync(`${path}.pages.ready-wal`));
});
