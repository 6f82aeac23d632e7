/** Conditions of writes, as RFC 9110 has them: none is passed over in silence. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathOf } from '../fixture-app.ts';
import { lines, NDJSON, NEW, writable } from './writable.ts';

test('If-None-Match names states that are not written over', async () => {
  const { put, ask } = await writable();
  const tag = String((await put(NEW, { text: 'one rose' })).headers['etag']);
  const status = async (text: string, value: string) =>
    (await put(NEW, { text }, { 'if-none-match': value })).status;
  for (const value of [tag, `"other",${tag}`, `W/${tag}`, `"a,b" , ${tag}`, ' * '])
    assert.equal(await status('two roses', value), 412, value);
  for (const value of ['"other"', `"${tag.slice(1, -1)}-or-so"`, `"a,${tag.slice(1, -1)}"`])
    assert.equal(await status('one rose', value), 200, value);
  const at = pathOf('/pages', { url: NEW });
  for (const value of [tag, '*'])
    assert.equal((await ask('DELETE', at, undefined, { 'if-none-match': value })).status, 412);
  assert.equal((await ask('DELETE', at, undefined, { 'if-none-match': '"other"' })).status, 200);
  assert.equal(await status('one rose', tag), 201, 'there is none');
});

test('a condition that cannot be asked is refused, and nothing is written', async () => {
  const { put, ask } = await writable();
  const { headers, body } = await put(NEW, { text: 'one rose' });
  const tag = String(headers['etag']);
  const since = { 'if-unmodified-since': 'Sat, 29 Oct 1994 19:43:31 GMT' };
  const refused = async (method: string, conditions: object) => {
    const at = pathOf('/pages', { url: NEW });
    const payload = method === 'PUT' ? { text: 'two roses' } : undefined;
    const answer =
      method === 'POST'
        ? await ask('POST', '/pages', lines([{ url: NEW, text: 'two roses' }]), { ...NDJSON, ...conditions })
        : await ask(method, at, payload, conditions);
    assert.deepEqual(
      [answer.status, answer.body.code],
      [400, 'malformed-request'],
      JSON.stringify(conditions),
    );
    return answer.body.detail as string;
  };
  for (const method of ['PUT', 'DELETE']) {
    assert.match(await refused(method, since), /send If-Match/);
    assert.match(await refused(method, { 'if-none-match': tag.slice(1, -1) }), /double quotes/);
    assert.match(await refused(method, { 'if-match': `${tag}, none` }), /double quotes/);
  }
  for (const condition of [since, { 'if-match': tag }, { 'if-none-match': '*' }])
    assert.match(await refused('POST', condition), /PUT or DELETE/);
  assert.equal((await ask('GET', '/pages/pending')).body.sequence, body.sequence);
  assert.equal((await put(NEW, { text: 'two roses' }, { ...since, 'if-match': tag })).status, 200);
  assert.equal(
    (await put(NEW, { text: 'three roses' }, { 'if-match': `W/${tag}` })).status,
    412,
    'a weak tag',
  );
});
