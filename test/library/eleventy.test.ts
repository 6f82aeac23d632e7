/** The filter of the plugin for Eleventy over pages as collections have them; a build of Eleventy is in the long check. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { akin } from '../../src/library/site/eleventy.ts';

type Config = Parameters<typeof akin>[0];
type Filter = Parameters<Config['addAsyncFilter']>[1];

test('a page without a body, or with a title that is no text, is one of the collection', async () => {
  let related: Filter | undefined;
  akin({ addAsyncFilter: (_name, filter) => (related = filter), on() {} }, { base: 'https://blog.example/' });
  const post = (url: string | false, title: unknown, rawInput?: string) => {
    return { url, data: { title }, ...(rawInput !== undefined && { rawInput }) };
  };
  const pages = [
    post('/roses/', 'Roses and thorns', 'pruning in spring'),
    post('/bare/', 'Roses and thorns', ''),
    post('/script/', 'Bread of rye'),
    post('/year/', 2024, 'flour and water'),
    post('/none/', undefined, 'bread of wheat'),
    post(false, 'A draft', ''),
  ];
  const urls = async (url: string) => (await related!(pages, url)).map((page) => page.url);
  assert.deepEqual(await urls('/roses/'), ['/bare/']);
  assert.deepEqual(await urls('/bare/'), ['/roses/']);
  assert.deepEqual(await urls('/year/'), []);
});
