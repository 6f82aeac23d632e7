/** Lists made in memory are those of an index of the same documents. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Random } from '../../src/lib/random.ts';
import {
  type BuildSettings,
  buildIndex,
  openIndex,
  type RelatedDocument,
  relate,
} from '../../src/library/library.ts';
import { longTest } from '../long-test.ts';
import { newFolder } from '../new-folder.ts';

const WORDS = Array.from(
  { length: 400 },
  (_, i) => `w${(i * 7919).toString(26).replace(/\d/g, 'x')}y${i % 10}`,
);
const LIMIT = 6;

/** Pages about 5 topics, with links to each other and to many pages that are not there; ties are frequent. */
function documents(count: number): RelatedDocument[] {
  const random = new Random(5);
  return Array.from({ length: count }, (_, i) => {
    const topic = i % 5;
    const words = Array.from({ length: 40 }, () => WORDS[(80 * topic + random.below(110)) % WORDS.length]!);
    const links = Array.from({ length: 12 }, () => {
      const to =
        random.below(3) === 0 ? `/page/${random.below(count)}` : `/away/${topic}-${random.below(40)}`;
      const anchor = Array.from({ length: 3 }, () => WORDS[80 * topic + random.below(30)]).join(' ');
      return `<p>${words[random.below(40)]} <a href="${to}">${anchor}</a> ${words[random.below(40)]}</p>`;
    });
    return {
      url: `https://site.example/page/${i}`,
      title: `${words[0]} ${words[1]} - The site`,
      html: `<h2>${words[2]}</h2><p>${words.join(' ')}</p>${links.join('')}`,
      features: { tags: { [`tag${topic}`]: 1, [`own${i % 17}`]: 2 } },
      fields: { price: i, ...(i % 3 === 0 && { tags: [`tag${topic}`, 'third'] }) },
    };
  });
}

async function assertSameAsIndex(
  given: RelatedDocument[],
  settings: BuildSettings = {},
  fields: string[] = [],
): Promise<{ beyond: number }> {
  const lists = await relate(given, { limit: LIMIT, ...settings, fields });
  const to = join(newFolder('relate'), 'same.akin');
  await buildIndex({ inputs: [given], to, workerCount: 1, ...settings });
  await using index = await openIndex(to);
  assert.deepEqual(
    [...lists.keys()],
    given.map(({ url }) => url),
  );
  let beyond = 0;
  for (const [url, list] of lists) {
    const { related } = await index
      .related(url, { limit: LIMIT, fetched: 'only', explain: true, fields })
      .catch(() => ({ related: [] }));
    const wanted = related.map(({ url, title, similarity, score, why, fields }) => {
      if (score === undefined) beyond++;
      const shown = { url, title, similarity, ...(fields && { fields }), terms: why!.terms };
      return score === undefined ? shown : { ...shown, score };
    });
    assert.deepEqual(list, wanted, url);
  }
  return { beyond };
}

test('lists, figures, titles and shared words are those of the index', async () => {
  const { beyond } = await assertSameAsIndex(documents(45));
  assert.equal(beyond, 0);
  // Some of so few neighbors are pages known by links alone, so that lists go on beyond what is stored.
  const short = await assertSameAsIndex(documents(45), { neighborLimit: 6, parts: 'content=.2,anchor=.8' });
  assert.ok(short.beyond > 20, String(short.beyond));
});

longTest('settings mean the same, features of one’s own among them', async () => {
  const parts = 'content=.5,title=.1,bigram=.2,tags=.2';
  await assertSameAsIndex(documents(45), {
    parts,
    minPageCount: 3,
    keepTitles: true,
    stopWords: `${WORDS[0]}\n`,
  });
});

longTest('lists show the fields that are asked for', async () => {
  const given = documents(45);
  await assertSameAsIndex(given, {}, ['tags']);
  const lists = await relate(given, { fields: ['price', 'tags'] });
  const items = [...lists.values()].flat();
  const price = (url: string) => Number(url.split('/').at(-1));
  assert.deepEqual(
    items.map(({ fields }) => fields!['price']),
    items.map(({ url }) => price(url)),
  );
  const without = [...(await relate(given)).values()].flat();
  assert.ok(without.every((item) => !('fields' in item)));
});

longTest(
  'canonical pages, pages that ask not to be indexed and languages count as in the index',
  async () => {
    const given = documents(30);
    const head = (i: number, tag: string) => {
      given[i] = { ...given[i]!, html: `<head>${tag}</head><body>${given[i]!.html}` };
    };
    head(3, '<link rel="canonical" href="/page/4">');
    head(5, '<meta name="robots" content="noindex">');
    given[6] = { ...given[6]!, lang: 'de' };
    await assertSameAsIndex(given);
    const lists = await relate(given, { limit: 30 });
    assert.deepEqual(lists.get(given[3]!.url), lists.get(given[4]!.url));
    assert.deepEqual(lists.get(given[5]!.url), []);
    const listed = new Set([...lists.values()].flat().map(({ url }) => url));
    assert.deepEqual([listed.has(given[3]!.url), listed.has(given[5]!.url)], [false, false]);
  },
);

test('URLs are as the documents give them', async () => {
  const text = 'roses and thorns in the garden';
  const others = ['bread', 'rye'].map((word) => ({
    url: `https://a.example/${word}`,
    text: `${word} of dough`,
  }));
  const lists = await relate([
    { url: 'HTTPS://A.example/x#top', title: 'X', text },
    { url: 'https://a.example:443/y', title: 'Y', text },
    ...others,
  ]);
  assert.deepEqual(
    lists.get('HTTPS://A.example/x#top')?.map(({ url }) => url),
    ['https://a.example:443/y'],
  );
});

test('documents may come one by one', async () => {
  async function* later() {
    yield* documents(20);
  }
  assert.deepEqual(await relate(later()), await relate(documents(20)));
  let count = 0;
  async function* endless() {
    for (; count < 1e6; count++) yield { url: `https://a.example/${count}`, text: 'x' };
  }
  await assert.rejects(relate(endless()), /more than 50000 documents/);
  assert.equal(count, 50_000, 'no more are read');
});

test('of documents that all ask not to be indexed the fields are not missed', async () => {
  const html = '<meta name="robots" content="noindex"><p>green tea';
  const hidden = [{ url: 'https://a.example/', html, fields: { price: 3 } }];
  assert.deepEqual(await relate(hidden, { fields: ['price'] }), new Map([['https://a.example/', []]]));
});

test('it writes no file', async () => {
  const before = readdirSync('.');
  await relate(documents(20));
  assert.deepEqual(readdirSync('.'), before);
});

test('what cannot be used is named', async () => {
  const good = documents(3);
  const bad: readonly [RelatedDocument[], object, RegExp][] = [
    [[...good, { url: '/relative', text: 'x' }], {}, /documents\[3\]\.url/],
    [[...good, good[1]!], {}, /documents\[3\] has the URL of documents\[1\]/],
    [[...good, { url: 'https://a.example/' }], {}, /documents\[3\] has neither html nor text/],
    [[{ ...good[0]!, features: { tags: { a: -1 } } }], {}, /features/],
    [[{ ...good[0]!, vectors: { v: [1, 2] } } as RelatedDocument], {}, /vectors are for buildIndex/],
    [[{ ...good[0]!, fields: { 'no name': 1 } }], {}, /fields: the name "no name"/],
    [good, { fields: ['prize'] }, /no document has the field prize/],
    [good, { limit: 0 }, /limit is 0/],
    [good, { floor: 2 }, /floor is 2; allowed: 0 to 1/],
    [good, { nonsense: 1 }, /there is no setting nonsense/],
    [good, { parts: 'content=.5,none=.5' }, /none/],
  ];
  for (const [given, options, message] of bad) {
    await assert.rejects(relate(given, options), (error: Error & { code: string; hint: string }) => {
      assert.match(error.message, message);
      assert.match(error.code, /^AKIN_ERR_/);
      return typeof error.hint === 'string' || error.code === 'AKIN_ERR_OPTION';
    });
  }
  for (const none of [undefined, null, 5, 'documents', {}, Promise.resolve(good)]) {
    await assert.rejects(relate(none as unknown as RelatedDocument[]), {
      code: 'AKIN_ERR_OPTION',
      message: /^documents is neither an array nor another iterable$/,
    });
  }
  await assert.rejects(relate(good, { fields: 'price' as unknown as string[] }), /fields is no array/);
  assert.deepEqual(await relate([]), new Map());
  const hidden = { url: 'https://a.example/', html: '<meta name=robots content=noindex>x' };
  assert.deepEqual(await relate([hidden]), new Map([[hidden.url, []]]));
});

longTest('a document with an empty text is a page of its title', async () => {
  const named = (name: string, title: string) => ({ url: `https://site.example/${name}`, title });
  const given = (empty: object): RelatedDocument[] => [
    { ...named('a', 'Roses and thorns'), text: 'pruning in spring' },
    { ...named('b', 'Bread of rye'), text: 'flour and water' },
    { ...named('bare', 'Roses and thorns'), ...empty } as RelatedDocument,
  ];
  const settings = { minPageCount: 1, maxPageShare: 1 };
  for (const empty of [{ text: '' }, { html: '' }, { text: '', html: null }]) {
    await assertSameAsIndex(given(empty), settings);
    const lists = await relate(given(empty), settings);
    const listed = Array.from(lists.values(), (list) => list.map(({ url }) => url.split('/').at(-1)));
    assert.deepEqual(listed, [['bare'], [], ['a']], JSON.stringify(empty));
  }
  await assert.rejects(relate(given({}), settings), /documents\[2\] has neither/);
});
