import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { FeedbackLog, readFeedback } from '../../src/store/feedback-log.ts';
import { newFolder } from '../new-folder.ts';

type FeedbackEntry = Parameters<FeedbackLog['append']>[0];

const folder = newFolder('feedback');
after(() => rmSync(folder, { recursive: true }));
let count = 0;
const newPath = () => join(folder, `${count++}.feedback.jsonl`);

const entry = (rank: number): FeedbackEntry => ({
  at: '2026-01-02T03:04:05.000Z',
  generation: 'g',
  by: 'topic',
  url: 'https://a.example/',
  related_url: `https://a.example/${rank}`,
  judgement: rank % 2 === 0 ? 'better' : 'worse',
  rank,
});

test('judgements that come at once are all kept, one a line, in their order', async () => {
  const path = newPath();
  const log = await FeedbackLog.open(path, 2 ** 20);
  const entries = Array.from({ length: 50 }, (_, i) => entry(i + 1));
  assert.ok((await Promise.all(entries.map((one) => log.append(one)))).every((isWritten) => isWritten));
  assert.equal(readFileSync(path, 'utf8'), entries.map((one) => `${JSON.stringify(one)}\n`).join(''));
  assert.deepEqual(readFeedback(path), { entries, unreadableCount: 0 });
});

test('a torn last line costs itself alone, and is counted', async () => {
  const path = newPath();
  writeFileSync(path, `${JSON.stringify(entry(1))}\n{"at":"2026-01-0`);
  const log = await FeedbackLog.open(path, 2 ** 20);
  await log.append(entry(2));
  assert.deepEqual(readFeedback(path), { entries: [entry(1), entry(2)], unreadableCount: 1 });
  // As a loss of power leaves it.
  appendFileSync(path, Buffer.alloc(100));
  assert.equal(readFeedback(path).unreadableCount, 2);
});

test('what would make the file too long is refused, what fits still fits; a file that is moved away begins anew', async () => {
  const path = newPath();
  const lineBytes = JSON.stringify(entry(2)).length + 1;
  const log = await FeedbackLog.open(path, 2 * lineBytes);
  const written = await Promise.all([2, 4, 6].map((rank) => log.append(entry(rank))));
  assert.deepEqual(written, [true, true, false]);
  assert.equal(await log.append(entry(8)), false);
  renameSync(path, `${path}.old`);
  assert.equal(await log.append(entry(5)), true);
  assert.deepEqual(readFeedback(path).entries, [entry(5)]);
});

test('a place that cannot be written is named before the server starts', async () => {
  const path = newPath();
  mkdirSync(path);
  await assert.rejects(FeedbackLog.open(path, 2 ** 20), (error: Error & { code: string; hint: string }) => {
    assert.deepEqual([error.code, error.message.includes(path)], ['AKIN_ERR_CONFIG', true]);
    return error.hint.includes('--feedback');
  });
});

test('a file without any judgement is named', () => {
  const path = newPath();
  assert.throws(() => readFeedback(path), { code: 'AKIN_ERR_INPUT_MISSING' });
  writeFileSync(path, '\n');
  assert.throws(() => readFeedback(path), { code: 'AKIN_ERR_INPUT_EMPTY' });
  writeFileSync(path, '{"url":"https://a.example/"}\n[]\nnull\n7\n');
  assert.throws(() => readFeedback(path), { code: 'AKIN_ERR_INPUT_UNREADABLE' });
});

test('after kill -9 every judgement that was answered is there', async () => {
  const path = newPath();
  const child = spawn(process.execPath, [new URL('feedback-child.ts', import.meta.url).pathname, path, '1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let answered = 0;
  for await (const piece of child.stdout) {
    answered += String(piece).split('\n').length - 1;
    if (answered >= 40) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  assert.equal(child.signalCode, 'SIGKILL');
  const log = await FeedbackLog.open(path, 2 ** 30);
  await log.append(entry(0));
  const { entries, unreadableCount } = readFeedback(path);
  assert.ok(entries.length > answered && unreadableCount <= 1, `${entries.length} of ${answered}`);
  assert.deepEqual(
    entries.map(({ rank }) => rank),
    [...Array.from({ length: entries.length - 1 }, (_, i) => i + 1), 0],
  );
});

/** Behind so many bytes the disk is full. */
const ROOM = 2048;

/** What is answered to judgements on a disk that fills up, by rank; `before` bytes of the file are there. */
async function answeredOnFullDisk(path: string, before: number, atOnce: number): Promise<number[]> {
  writeFileSync(path, '\n'.repeat(before));
  const args = [new URL('feedback-child.ts', import.meta.url).pathname, path, String(atOnce)];
  const child = spawn('bash', ['-c', `ulimit -f ${ROOM / 1024}; exec "$0" "$@"`, process.execPath, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const pieces: string[] = [];
  for await (const piece of child.stdout) pieces.push(String(piece));
  if (child.exitCode === null) await once(child, 'exit');
  assert.equal(child.exitCode, 0);
  return pieces.join('').trim().split('\n').map(Number);
}

test('a disk without room refuses a judgement, and those that are there are the ones that were answered', async () => {
  const lineBytes = JSON.stringify(entry(2)).length + 1;
  // The last of seven lines lacks ten bytes, its line break alone, or nothing.
  for (const missing of [10, 1, 0]) {
    for (const atOnce of [1, 20]) {
      const path = newPath();
      const before = ROOM - 7 * lineBytes + missing;
      const answered = await answeredOnFullDisk(path, before, atOnce);
      const ranks = () => readFeedback(path).entries.map(({ rank }) => rank);
      assert.deepEqual(answered, ranks(), `${missing} missing, ${atOnce} at once`);
      assert.equal(answered.length, missing > 1 ? 6 : 7);
      // There is room again.
      const log = await FeedbackLog.open(path, 2 ** 20);
      assert.equal(await log.append(entry(0)), true);
      assert.deepEqual(ranks(), [...answered, 0]);
    }
  }
});
