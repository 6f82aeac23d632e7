import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadConfig } from '../../src/cli/settings/config.ts';
import { keysOf } from '../../src/cli/settings/keys.ts';
import { requireFiles, requireWriters } from '../../src/cli/up/live-pages.ts';
import type { AkinError } from '../../src/errors.ts';
import { readKeys } from '../../src/service/keys/key-ring.ts';
import { newFolder } from '../new-folder.ts';
import { akin } from './terminal.ts';

const path = join(newFolder('keys'), 'keys');

test('akin key new prints a key, and the line that lets it in', async () => {
  const { code, stdout } = await akin('key new --name shop --scope write --site shop.example'.split(' '));
  const [key, line, ...rest] = stdout.split('\n');
  assert.deepEqual([code, rest], [0, ['']]);
  assert.ok(!line!.includes(key!));
  writeFileSync(path, `${line}\n`);
  const ring = keysOf({ keyFile: path }, { env: {} })!;
  const { name, scope, site } = ring.find(key!, 0)!;
  assert.deepEqual([name, scope, site], ['shop', 'write', 'shop.example']);
  assert.deepEqual([ring.guardsReads, ring.canWrite], [false, true]);
});

test('a key that no line can say is refused', async () => {
  for (const [flags, said] of [
    ['--scope admin', /--scope <SCOPE>/],
    ['--scope read --expires soon', /^akin: --expires must be a date/],
    ['--scope read --expires 2020-01-01', /^akin: --expires 2020-01-01 is past/],
    ['--scope read --site a/b', /^akin: --site must be/],
    ['', /--scope <SCOPE>/],
  ] as const) {
    const { code, stdout, stderr } = await akin(`key new --name a ${flags}`.trim().split(' '));
    assert.deepEqual([code, stdout], [2, ''], flags);
    assert.match(stderr, said);
  }
});

test('keys come from the file and from variables, and no setting shows them', async () => {
  const env = { AKIN_READ_KEY: 'r'.repeat(20), AKIN_WRITE_KEY: 'w'.repeat(20), AKIN_KEYS: path };
  const ring = keysOf(loadConfig({}, env).config, { env })!;
  assert.equal(ring.find('r'.repeat(20), 0)?.scope, 'read');
  assert.equal(ring.find('w'.repeat(20), 0)?.name, 'AKIN_WRITE_KEY');
  assert.equal(ring.guardsReads, true);
  assert.doesNotMatch((await akin(['config'], { env })).stdout, /rrrr|wwww/);
  assert.equal(keysOf({ keyFile: '' }, { env: {} }), null);
  writeFileSync(path, '# none\n');
  for (const keyFile of [path, `${path}.missing`]) {
    assert.throws(() => keysOf({ keyFile }, { env: {} }), { code: 'AKIN_ERR_CONFIG' });
  }
});

test('no one writes without a key, but programs of the machine', () => {
  const ringOf = (env: Record<string, string>) => keysOf({ keyFile: '' }, { env });
  const write = ringOf({ AKIN_WRITE_KEY: 'w'.repeat(20) });
  const read = ringOf({ AKIN_READ_KEY: 'r'.repeat(20) });
  for (const host of ['127.0.0.1', '127.8.8.8', 'localhost', '::1']) requireWriters({ host }, null);
  requireWriters({ host: '0.0.0.0' }, write);
  for (const [host, keys] of [
    ['0.0.0.0', null],
    ['127.0.0.1.evil.example', null],
    ['10.0.0.1', null],
    ['127.0.0.1', read],
  ] as const) {
    assert.throws(() => requireWriters({ host }, keys), { code: 'AKIN_ERR_CONFIG' });
  }
  assert.throws(() => requireFiles([], '--writable'), { code: 'AKIN_ERR_CONFIG' });
  for (const paths of ['a.akin', ['a.akin', 'b.akin']]) requireFiles(paths, '--writable');
});

test('where a key is missing or none, the hint is a command that makes one', async () => {
  const none = `${path}.none`;
  writeFileSync(none, '# none\n');
  for (const refuse of [
    () => keysOf({ keyFile: none }, { env: {} }),
    () => keysOf({ keyFile: `${path}.missing` }, { env: {} }),
    () => keysOf({ keyFile: '' }, { env: { AKIN_READ_KEY: 'short' } }),
    () => readKeys('{"name":"a","scope":"read"}', path),
    () => requireWriters({ host: '0.0.0.0' }, null),
  ]) {
    let hint = '';
    assert.throws(refuse, (error: AkinError) => (hint = error.hint ?? '') !== '');
    const command = /akin (key new .*?) prints/.exec(hint)?.[1] ?? '';
    const argv = command.replace('NAME', 'a').replace('SCOPE', 'read').split(' ');
    assert.equal((await akin(argv)).code, 0, hint);
  }
});
