/** What a typed query asks for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSearch } from '../../src/service/answers/search/parse-search.ts';

test('a query becomes words and phrases; the last word may be half typed', () => {
  const term = (given: string, words: string[], more = {}) => {
    return { given, words, isPrefix: false, mayBeTypo: false, ...more };
  };
  assert.deepEqual(parseSearch('a "b c" -d -"e f" site:x.example -site:y.example Gardén'), {
    terms: [
      term('a', ['a'], { mayBeTypo: true }),
      term('b c', ['b', 'c']),
      term('Gardén', ['garden'], { isPrefix: true, mayBeTypo: true }),
    ],
    unwanted: [term('d', ['d']), term('e f', ['e', 'f'])],
    hosts: ['x.example'],
    unwantedHosts: ['y.example'],
    leftOut: [],
  });
  const isPrefix = (query: string) => parseSearch(query).terms.map((one) => one.isPrefix);
  assert.deepEqual(isPrefix('gard'), [true]);
  assert.deepEqual(isPrefix('gard '), [false], 'a word that is ended');
  assert.deepEqual(isPrefix('"gard"'), [false]);
  assert.deepEqual(isPrefix('"gard'), [false]);
  assert.deepEqual(isPrefix('ga'), [false]);
  assert.deepEqual(isPrefix('gar* soil'), [true, true]);
  assert.deepEqual(isPrefix('한국'), [true], 'a syllable has several letters');
  assert.deepEqual(isPrefix('가'), [false]);
  assert.deepEqual(isPrefix('서버 설정 '), [true, true], 'particles are written behind a word');
  assert.deepEqual(isPrefix('문 서버1 "서버" -서버 '), [false, false, false]);
  assert.deepEqual(parseSearch("l'arbr").terms, [term("l'arbr", ['l', 'arbr'], { isPrefix: true })]);
  assert.deepEqual(isPrefix("l'arbre "), [false]);
  assert.deepEqual(isPrefix("l'ar"), [false]);
  assert.deepEqual(isPrefix("l'arb* \"l'arb"), [true, false]);
  assert.deepEqual(parseSearch('++ -- ""').terms, []);
});

test('a host is named as people write it', () => {
  const hostsOf = (query: string) => parseSearch(query).hosts;
  for (const host of ['x.example', 'X.Example', 'x.example.', 'x.example:8080', 'https://x.example/a?b'])
    assert.deepEqual(hostsOf(`a site:${host}`), ['x.example'], host);
  assert.deepEqual(hostsOf('a site:my_blog.x.example'), ['my_blog.x.example']);
  assert.deepEqual(hostsOf('a site:müller.example'), ['xn--mller-kva.example']);
  for (const address of ['[::1]', '[0:0::1]', '[::1]:8080', 'http://[::1]/a'])
    assert.deepEqual(hostsOf(`a site:${address}`), ['[::1]'], address);
  for (const none of ['', '/', '?', 'x.example,y.example', '..', '::1', '[::1', '[x.example]'])
    assert.deepEqual(hostsOf(`a site:${none}`), [], none);
});
