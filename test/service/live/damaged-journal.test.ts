/** A journal that is damaged: one record costs one page, which is said and stays in the file, and what cannot be read is named. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { type AkinError, CorruptError } from '../../../src/errors.ts';
import { JournalReader } from '../../../src/store/journal/journal-reader.ts';
import { PageJournal } from '../../../src/store/journal/page-journal.ts';
import { fixtureApp, pathOf } from '../fixture-app.ts';
import { LIMITS, NEW, refused, writable } from '../routes/writable.ts';

/** What a byte, a cut or another program may leave of one record, by what it changes. */
const DAMAGES: Record<string, string> = {
  'a byte of the JSON': `record = replace(record, '"text":', '"text"?')`,
  'a byte of the text': `record = replace(record, 'one rose', 'one nose')`,
  'the end of the record': 'record = substr(record, 1, 20)',
  'the date of the record': `record = replace(record, '2026-03-01T', '2025-03-01T')`,
  digest: `digest = replace(digest, substr(digest, 1, 1), 'x')`,
  URL: `url = 'no url'`,
  'digest of the text': `text_digest = 'x'`,
  date: 'dated_ms = dated_ms + 1',
  'whether it is gone': 'is_gone = 7',
  'number it came with first': 'first_sequence = 99',
};

function damage(path: string, set: string, where = `url = '${NEW}'`): void {
  const db = new Database(path);
  const { changes } = db
    .prepare(`UPDATE ${set.includes(' SET ') ? set : `entry SET ${set} WHERE ${where}`}`)
    .run();
  assert.equal(changes, 1);
  db.close();
}

test('a record that is damaged costs its page alone; it is said, and stays until the page comes again', async () => {
  const { put, app, indexPath } = await writable();
  const others = Object.keys(DAMAGES).map((_, i) => `${NEW}${i}`);
  for (const url of [...others, `${NEW}whole`])
    assert.equal((await put(url, { text: 'one rose', fetched_at: '2026-03-01' })).status, 201);
  await app.close();
  const path = `${indexPath}.pages`;
  for (const [i, set] of Object.values(DAMAGES).entries()) damage(path, set, `url = '${NEW}${i}'`);
  // One that only reads passes them over, too, and changes nothing.
  const reader = JournalReader.read(path)!;
  const said: string[] = [];
  reader.onDamage = ({ sequence, error }) => {
    assert.ok(error instanceof CorruptError && error.message.includes(path));
    said.push(`${sequence}`);
  };
  for (let i = 0; i < 2; i++) assert.equal(reader.after(0, 64).records.length, 1);
  assert.deepEqual(
    said,
    others.map((_, i) => `${i + 1}`),
  );
  reader.close();

  let folded = '';
  const run = async ([file]: readonly string[]) => {
    folded = readFileSync(file!, 'utf8');
    return false;
  };
  const again = await fixtureApp(indexPath, { live: { ...LIMITS, run } });
  const pending = async () => (await again.inject('/pages/pending')).json();
  const there = async (url: string) => (await again.inject(pathOf('/page', { url }))).statusCode;
  const { count, damaged, sequence } = await pending();
  assert.deepEqual([count, damaged, sequence], [1, others.length, others.length + 1]);
  assert.match(
    (await again.inject('/metrics')).body,
    new RegExp(`^akin_pages_damaged ${others.length}$`, 'm'),
  );
  assert.equal(await there(`${NEW}whole`), 200);
  for (const url of others) assert.equal(await there(url), 404);
  await again.inject({ method: 'POST', url: '/pages/fold', headers: { prefer: 'wait=60' } });
  assert.deepEqual(
    folded
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).url),
    [`${NEW}whole`],
  );
  // All but the one without a URL come again.
  for (const url of others) {
    const payload = { text: 'one rose' };
    const answer = await again.inject({ method: 'PUT', url: pathOf('/pages', { url }), payload });
    assert.equal(answer.statusCode, 201, answer.body);
  }
  assert.deepEqual([(await pending()).damaged, (await pending()).count], [1, others.length + 1]);
  await again.close();
  const journal = PageJournal.open(path);
  journal.forget(journal.lastSequence);
  assert.equal(journal.damagedCount, 1, 'what is forgotten is what an index has');
  journal.close();
});

test('a journal that cannot be read is named, and what to do', async () => {
  for (const set of [
    `journal SET id = 'no id'`,
    `sqlite_sequence SET seq = 'x' WHERE name = 'entry'`,
    'forgotten SET sequence = 99',
  ]) {
    const { put, app, indexPath } = await writable();
    await put(NEW, { text: 'one rose' });
    await app.close();
    const path = `${indexPath}.pages`;
    const journal = PageJournal.open(path);
    journal.forget(0);
    journal.close();
    damage(path, set);
    await assert.rejects(
      fixtureApp(indexPath, { live: { ...LIMITS, run: refused } }),
      (error: unknown) =>
        error instanceof CorruptError &&
        error.message.startsWith(`${path}, `) &&
        /move it away/.test((error as AkinError).hint ?? ''),
      set,
    );
  }
});
