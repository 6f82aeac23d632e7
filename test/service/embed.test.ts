/** The script of the web components, as it is served. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { fixtureApp, fixtureIndex } from './fixture-app.ts';

const app = await fixtureApp(await fixtureIndex(), { corsOrigins: ['https://one.example'] });
const plain = await app.inject('/embed.js');

test('each script is one module without imports, of at most 8 KB compressed', async () => {
  for (const [url, names] of [
    ['/embed.js', ['akin-related', 'akin-results', 'akin-moved']],
    ['/akin-search.js', ['akin-search']],
  ] as const) {
    const served = await app.inject(url);
    const gzipped = await app.inject({ url, headers: { 'accept-encoding': 'gzip, deflate' } });
    assert.equal(gzipped.headers['content-encoding'], 'gzip');
    assert.ok(gzipped.rawPayload.length <= 8192, `${gzipped.rawPayload.length} bytes`);
    assert.deepEqual(gunzipSync(gzipped.rawPayload), served.rawPayload);
    const brotli = await app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } });
    assert.equal(brotli.headers['content-encoding'], 'br');
    assert.deepEqual(brotliDecompressSync(brotli.rawPayload), served.rawPayload);
    assert.doesNotMatch(served.body, /^(import|export)\b|\/\*\*/m);
    assert.deepEqual(
      [...served.body.matchAll(/define\('(.*?)'/g)].map(([, name]) => name),
      names,
    );
  }
});

test('any origin may load it, by a path that names its bytes, with a hash that browsers check', async () => {
  const { path, integrity } = (await app.inject('/embed.json')).json();
  assert.equal(integrity, `sha384-${createHash('sha384').update(plain.rawPayload).digest('base64')}`);
  const versioned = await app.inject({ url: path, headers: { origin: 'https://two.example' } });
  assert.equal(versioned.body, plain.body);
  assert.equal(versioned.headers['cache-control'], 'public, max-age=31536000, immutable');
  for (const { headers } of [plain, versioned]) {
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8');
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['vary'], 'Accept-Encoding');
  }
});

test('the path without a version is asked again, and answered without the bytes', async () => {
  assert.match(String(plain.headers['cache-control']), /max-age=600,/);
  const headers = { 'if-none-match': String(plain.headers['etag']) };
  const again = await app.inject({ url: '/embed.js', headers });
  assert.deepEqual([again.statusCode, again.body], [304, '']);
  // As WordPress writes it.
  const named = await app.inject('/embed.js?ver=6.1.9');
  assert.deepEqual([named.statusCode, named.body], [200, plain.body]);
  assert.equal((await app.inject('/embed.json?x=1')).statusCode, 400);
  assert.equal((await app.inject('/embed-0123456789abcdef.js')).statusCode, 404);
});
