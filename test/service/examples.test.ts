import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asker, fixtureApp, fixtureIndex, pathOf, type Query } from './fixture-app.ts';
import { fixturePages, GARDEN, HERBARIUM } from './fixture-index.ts';

const app = await fixtureApp(await fixtureIndex());
const ask = asker(app);
const BREAD = fixturePages()
  .map(({ url }) => url)
  .filter((url) => url.includes('bread'));
const [loaf, crumb] = BREAD as [string, string];
const urlsOf = (body: { related: { url: string }[] }) => body.related.map(({ url }) => url);

async function post(payload: object, query: Query = {}) {
  const answer = await app.inject({ method: 'POST', url: pathOf('/similar', query), payload });
  return { status: answer.statusCode, body: answer.json() };
}

test('one example is the page itself', async () => {
  const { body } = await post({ like: [{ url: loaf }] }, { limit: 5, rank: 'similarity' });
  const { body: alone } = await ask('/related', { url: loaf, limit: 5, rank: 'similarity' });
  assert.deepEqual(body.related, alone.related);
  assert.deepEqual([body.url, body.title, body.empty_reason], [null, '', null]);
  assert.ok(body.terms.length > 0);
});

test('of several examples, pages and texts, all count and none is listed', async () => {
  const { html } = fixturePages().find(({ url }) => url === HERBARIUM)!;
  const like = [{ url: loaf }, { html, url: HERBARIUM }, { text: 'rose thorn petal cane pruning' }];
  const { status, body } = await post({ like }, { limit: 100, explain: true });
  assert.equal(status, 200);
  const urls = urlsOf(body);
  assert.ok(!urls.includes(loaf) && !urls.includes(HERBARIUM));
  assert.ok(urls.some((url) => url.includes('bread')) && urls.some((url) => url.startsWith(GARDEN)));
  for (const { why } of body.related) {
    assert.equal(why.like.length, 3);
    assert.equal(why.unlike, undefined);
  }
  const bread = body.related.find(({ url }: { url: string }) => url.includes('bread'));
  const { body: ofLoaf } = await ask('/related', { url: loaf, limit: 100 });
  assert.equal(
    bread.why.like[0],
    ofLoaf.related.find(({ url }: { url: string }) => url === bread.url).similarity,
  );
});

test('a counter-example pushes its kind down, and is not listed', async () => {
  const like = [{ url: loaf }, { url: `${GARDEN}2` }];
  const first = (body: { related: { url: string }[] }) => urlsOf(body).slice(0, 10);
  const countBread = (urls: string[]) => urls.filter((url) => url.includes('bread')).length;
  const { body: mixed } = await post({ like });
  const { body } = await post({ like, unlike: [{ url: crumb }] }, { explain: true });
  assert.ok(countBread(first(body)) < countBread(first(mixed)));
  assert.ok(!urlsOf(body).includes(crumb));
  assert.ok(body.related.every(({ why }: { why: { unlike: number[] } }) => why.unlike.length === 1));
});

test('lists of examples can be paged through, narrowed and filtered', async () => {
  const like = [{ url: loaf }, { url: `${GARDEN}2` }];
  const { body: all } = await post({ like }, { limit: 100 });
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await post({ like }, { limit: 7, ...(cursor === '' ? {} : { cursor }) });
    seen.push(...urlsOf(body));
    cursor = body.next;
  }
  assert.deepEqual(seen, urlsOf(all));
  const { body: first } = await post({ like }, { limit: 7 });
  const other = await post({ like: [{ url: loaf }] }, { limit: 7, cursor: first.next });
  assert.equal(other.body.code, 'invalid-cursor');
  const { body: without } = await post({ like }, { limit: 100, exclude: [urlsOf(all)[0]!] });
  assert.ok(!urlsOf(without).includes(urlsOf(all)[0]!));
  const inGerman = await post({ like: [{ url: HERBARIUM }] }, { limit: 100, lang: 'same' });
  assert.deepEqual(inGerman.body.related, []);
  const ofTwo = await post(
    { like: [{ url: HERBARIUM }, { url: `${GARDEN}3` }] },
    { limit: 100, lang: 'same' },
  );
  const ofAny = await post({ like: [{ url: HERBARIUM }, { url: `${GARDEN}3` }] }, { limit: 100 });
  assert.ok(ofAny.body.related.length > 0);
  assert.deepEqual(urlsOf(ofTwo.body), urlsOf(ofAny.body));
  const { body: site } = await post({ like }, { limit: 100, site: new URL(GARDEN).hostname });
  assert.ok(site.related.length > 0 && urlsOf(site).every((url) => url.startsWith(new URL(GARDEN).origin)));
});

test('what is wrong with an example is said with its place', async () => {
  const detailOf = async (body: object, query: Query = {}) => {
    const { status, body: problem } = await post(body, query);
    return `${status} ${problem.code}: ${problem.detail}`;
  };
  assert.match(
    await detailOf({ like: [{ url: loaf }, { url: 'https://nowhere.example/' }] }),
    /^404 page-not-indexed: like\[1\]: .*nowhere\.example/,
  );
  assert.match(await detailOf({ like: [{ url: loaf }], unlike: [{}] }), /^400 invalid-body: unlike\[0\]: /);
  assert.match(await detailOf({ like: [{ text: 'a', html: 'b' }] }), /^400 \S+: like\[0\]: .*html or text/);
  assert.match(await detailOf({ like: [{ text: 'a', fields: {} }] }), /^400 invalid-body: like\[0\]: fields/);
  assert.match(await detailOf({ like: [] }), /^400 invalid-body: like: .*1 to 10/);
  assert.match(await detailOf({ like: Array(11).fill({ url: loaf }) }), /^400 invalid-body: like/);
  assert.match(await detailOf({ unlike: [{ url: loaf }] }), /^400 \S+: unlike/);
  assert.match(await detailOf({ like: [{ url: loaf }], text: 'b' }), /^400 \S+: text/);
  assert.match(await detailOf({ like: [{ url: loaf }] }, { url: loaf }), /^400 \S+: url/);
  assert.match(await detailOf({ like: [{ url: loaf }] }, { by: 'copy' }), /^400 \S+: like.*by=copy/);
});
