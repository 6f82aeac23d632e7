/** The client that writes, against a service that takes pages, through a fold. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { connect } from '../../src/library/client.ts';
import { connectWriter, ServiceError, type Writer } from '../../src/library/client-write.ts';
import { KeyRing, settingKey } from '../../src/service/keys/key-ring.ts';
import { ROUTES } from '../../src/service/routes/table.ts';
import { longTest } from '../long-test.ts';
import { fixtureApp, fixtureIndex } from '../service/fixture-app.ts';
import { addSweep, type FixturePage, fixturePages, GARDEN } from '../service/fixture-index.ts';

const KEY = 'a-key-of-thirty-characters-long';
const indexPath = await fixtureIndex();
const live = {
  maxPending: 100,
  maxPendingBytes: 2 ** 24,
  share: 2,
  waitMs: 1e9,
  run: async ([path]: readonly string[], sweep: string) => {
    const records = readFileSync(path!, 'utf8').trim().split('\n');
    await addSweep(
      indexPath,
      records.map((text): FixturePage => JSON.parse(text)),
      'part',
      sweep,
    );
    return true;
  },
};
const keys = new KeyRing([settingKey('AKIN_WRITE_KEY', KEY, 'write')]);
const app = await fixtureApp(indexPath, { live, keys });
const address = await app.listen({ port: 0, host: '127.0.0.1' });
const writer = connectWriter(address, { headers: { authorization: `Bearer ${KEY}` } });
const reader = connect(address);

const NEW = `${GARDEN}new`;
const LOAF = fixturePages().find(({ url }) => url.includes('bread'))!.url;
const text = 'rose petal thorn cane pruning graft rootstock bloom shrub climber';
const refusal = (code: string) => (error: unknown) => error instanceof ServiceError && error.code === code;
const urlsOf = ({ related }: { readonly related: readonly { readonly url: string }[] }) =>
  related.map(({ url }) => url);

test('pages are handed over one by one, over a state that is named, and many at once', async () => {
  const added = await writer.putPage(NEW, { title: 'New', text, fields: { price: 8 } }, { isNew: true });
  assert.deepEqual([added.url, added.state], [NEW, 'added']);
  await assert.rejects(writer.putPage(NEW, { text }, { isNew: true }), refusal('precondition-failed'));
  const changed = await writer.putPage(NEW, { title: 'Newer', text }, { etag: added.etag! });
  assert.equal(changed.state, 'changed');
  await assert.rejects(writer.deletePage(NEW, { etag: added.etag! }), refusal('precondition-failed'));
  const many = await writer.putPages([
    { url: `${NEW}2`, text },
    { url: `${NEW}3`, text: `${text} mulch` },
    { url: 'nonsense', text },
    { url: `${GARDEN}3`, status: 410 },
  ]);
  const { added: count, deleted, failed, errors } = many;
  assert.deepEqual([count, deleted, failed, errors[0]!.line], [2, 1, 1, 3]);
  const gone = await writer.deletePage(`${NEW}3`);
  assert.deepEqual([gone.state, gone.etag], ['deleted', null]);
  await assert.rejects(writer.deletePage(`${NEW}none`), refusal('page-not-indexed'));
  const pending = await writer.pendingPages();
  assert.deepEqual([pending.count, pending.sequence, pending.folding], [4, gone.sequence, null]);
  assert.ok(urlsOf(await reader.related(NEW)).includes(`${NEW}2`));
});

longTest('rules hold before a fold, through it and after it', async () => {
  const { rules, not_indexed } = await writer.putRules([
    { url: NEW, pin: [LOAF], block: [`${NEW}2`] },
    { pin: [`${NEW}none`] },
  ]);
  assert.deepEqual([rules.length, not_indexed], [2, [`${NEW}none`]]);
  const hold = async () => {
    const { related } = await reader.related(NEW, { limit: 100 });
    assert.deepEqual([related[0]!.url, related[0]!.pinned], [LOAF, true]);
    assert.ok(related.length > 5 && !urlsOf({ related }).includes(`${NEW}2`));
  };
  await hold();
  const fold = await writer.foldPages(60);
  assert.equal(fold.state, 'done');
  assert.deepEqual(await writer.fold(fold.id), fold);
  assert.equal((await writer.pendingPages()).count, 0);
  await hold();
  // The page of the rule comes after the fold, and the next fold keeps both.
  await writer.putPage(`${NEW}none`, { text: `${text} fragrance` });
  assert.deepEqual((await writer.rules()).not_indexed, []);
  assert.deepEqual(urlsOf(await reader.related(LOAF, { limit: 1 })), [`${NEW}none`]);
  assert.equal((await writer.foldPages(60)).state, 'done');
  assert.deepEqual(urlsOf(await reader.related(LOAF, { limit: 1 })), [`${NEW}none`]);
  await hold();
  assert.deepEqual(await writer.deleteRules(), { rules: [], not_indexed: [] });
  assert.ok(urlsOf(await reader.related(NEW)).includes(`${NEW}2`));
  await assert.rejects(connectWriter(address).rules(), refusal('key-required'));
});

test('each of its methods asks the method and path of its row', async () => {
  const asked: string[] = [];
  const client = connectWriter('http://service.example', {
    fetch: async (url, { method = 'GET' } = {}) => {
      asked.push(`${method} ${new URL(String(url)).pathname}`);
      return Response.json({});
    },
  });
  const names = Object.keys(client) as (keyof Writer)[];
  for (const name of names)
    await (client[name] as (...given: unknown[]) => unknown)(name === 'putPages' ? [] : 'x', {});
  const rows = names.map((name) => `${ROUTES[name].method} ${ROUTES[name].path.replace(':id', 'x')}`);
  assert.deepEqual(asked, rows);
  const written = Object.entries(ROUTES).filter(([, { tag }]) => ['pages', 'rules'].includes(tag));
  assert.deepEqual(names.toSorted(), written.map(([name]) => name).sort());
});

test('it has at most 3 kB, and imports what it asks by alone', () => {
  const SRC = new URL('../../src/library/', import.meta.url);
  const code = ['request', 'client-write'].map((name) => {
    const source = stripTypeScriptTypes(readFileSync(new URL(`${name}.ts`, SRC), 'utf8'));
    return source
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/^\s+/gm, '')
      .replace(/ {2,}/g, ' ');
  });
  assert.deepEqual(
    [...code.join('\n').matchAll(/^import .* from (.*);$/gm)].map(([, from]) => from),
    ["'./request.ts'"],
  );
  const sizes = { bytes: code.join('').length, compressed: gzipSync(code.join('')).length };
  assert.ok(sizes.bytes <= 3 * 1024, JSON.stringify(sizes));
});
