import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { canonicalUrl } from '../../src/url/canonical-url.ts';
import { siteOf } from '../../src/url/site.ts';

const VECTORS = new URL('../../../shared/data/vectors/psl/test_psl.txt', import.meta.url);
const NO_VECTORS = existsSync(VECTORS) ? false : 'the public suffix vectors are not in ../shared/data';

test('the site is the registrable domain', () => {
  assert.equal(siteOf('https://www.cs.example.org/a/b?c'), 'example.org');
  assert.equal(siteOf('https://www.example.co.uk/'), 'example.co.uk');
  assert.equal(siteOf('http://example.org'), 'example.org');
});

test('users of a shared host are sites of their own', () => {
  assert.equal(siteOf('https://ann.github.io/x'), 'ann.github.io');
  assert.equal(siteOf('https://ben.github.io/x'), 'ben.github.io');
});

test('an unlisted top level counts as a public suffix', () => {
  assert.equal(siteOf('http://a.b.example/'), 'b.example');
  assert.equal(siteOf('http://docs.akin.test/'), 'akin.test');
});

test('a host without a registrable domain is its own site, without its port', () => {
  assert.equal(siteOf('http://localhost:3000/'), 'localhost');
  assert.equal(siteOf('http://192.0.2.7:8080/a:b'), '192.0.2.7');
  assert.equal(siteOf('http://[2001:db8::1]:8080/'), '[2001:db8::1]');
  assert.equal(siteOf('http://co.uk/'), 'co.uk');
  assert.equal(siteOf('http://intranet/a@b'), 'intranet');
});

test('asking again gives the same site', () => {
  const first = siteOf('https://again.example.org/a');
  assert.equal(siteOf('https://again.example.org/b'), first);
});

test('the public suffix vectors hold, with the host itself where they name no domain', {
  skip: NO_VECTORS,
}, () => {
  let compared = 0;
  for (const line of readFileSync(VECTORS, 'utf8').split('\n')) {
    const found = /^checkPublicSuffix\('([^']+)', (?:null|'([^']+)')\);/.exec(line);
    const url = found === null ? null : canonicalUrl(`http://${found[1]}/`);
    if (found === null || url === null) continue;
    const host = new URL(url).hostname;
    // A leading dot makes no host name of DNS; the parser lets it pass, and no crawl meets it.
    if (host.startsWith('.')) continue;
    const expected = found[2] === undefined ? host : new URL(`http://${found[2]}/`).hostname;
    assert.equal(siteOf(url), expected, found[1]);
    compared++;
  }
  assert.ok(compared > 70, `${compared} compared`);
});
