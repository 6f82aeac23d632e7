/** Where a text went, for people: all the places that there are, however many. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addExplorer } from '../../src/explorer/explorer.ts';
import { buildPages } from '../indexer/build.ts';
import { document, prose } from '../indexer/pages.ts';
import { add } from '../indexer/sweeps.ts';
import { fixtureApp, pathOf } from '../service/fixture-app.ts';
import { type Page, parsed } from './parsed-page.ts';

const HOST = 'https://lost.example';
const TEXT = prose(4, 90);

test('of many places further ones are a link away', async (t) => {
  const about = (day: number) => ({
    url: `${HOST}/about`,
    html: document('About', `<p>${prose(9, 90, 2)}</p>`),
    day,
  });
  const lost = { url: `${HOST}/old`, html: document('Essay', `<p>${TEXT}</p>`), day: 0 };
  const places = Array.from({ length: 25 }, (_, i) => {
    return { url: `https://p${i}.example/`, html: document('Essay', `<p>${TEXT}</p>`), day: 9 };
  });
  const { target, reader } = await buildPages(t, [lost, about(0)], { copies: true });
  reader.close();
  await add(t, target, [about(9), ...places], { isWhole: true });
  const app = await fixtureApp(target, { extend: addExplorer });
  const open = async (url: string) => {
    const { statusCode, headers, body } = await app.inject(url);
    return parsed(statusCode, headers, body);
  };
  const named = new Set<string>();
  let path: string | undefined = pathOf('/explore/moved', { url: lost.url });
  let count = 0;
  while (path !== undefined) {
    const { status, elements, links }: Page = await open(path);
    assert.equal(status, 200);
    for (const link of links) {
      const b = new URL(link, HOST).searchParams.get('b');
      if (b !== null) named.add(b);
    }
    path = elements.find(({ attributes }) => attributes['rel'] === 'next')?.attributes['href'];
    assert.ok(++count < 5);
  }
  assert.deepEqual(named, new Set(places.map(({ url }) => url)));
});
