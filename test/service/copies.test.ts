import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { asker, fileAsker, fixtureApp } from './fixture-app.ts';
import { temporaryFolder } from './fixture-index.ts';
import {
  ESSAY,
  ESSAY_TEXT,
  EXCERPT,
  edited,
  LINKED,
  MIRROR,
  NEAR,
  NEW,
  OLD,
  OLD_TEXT,
  prose,
  STEADY,
  writeSweepsIndex,
} from './sweeps-index.ts';

const folder = temporaryFolder({ after });
const indexPath = join(folder, 'sweeps.akin');
writeSweepsIndex(indexPath);
const app = await fixtureApp(indexPath);
const ask = asker(app);
const post = async (path: string, payload: object) => {
  const answer = await app.inject({ method: 'POST', url: path, payload });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
};
const urlsOf = (body: { related: { url: string }[] }) => body.related.map(({ url }) => url);
/** Every ten words in a row. */
const shinglesOf = (text: string) => {
  const words = text.toLowerCase().match(/[a-z\d]+/g)!;
  return new Set(words.slice(9).map((_, i) => words.slice(i, i + 10).join(' ')));
};
/** As sets say it: all shingles of both texts. */
const exact = (a: string, b: string) => {
  const [one, other] = [shinglesOf(a), shinglesOf(b)];
  const shared = one.intersection(other).size;
  return { resemblance: shared / one.union(other).size, aInB: shared / one.size, bInA: shared / other.size };
};
const near = (actual: number, expected: number, tolerance = 5e-7) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);

test('copies of a page are listed nearest first, with the containment of each in the other', async () => {
  const { status, body } = await ask('/related', { url: ESSAY, by: 'copy' });
  assert.equal(status, 200);
  assert.deepEqual(urlsOf(body), [MIRROR, NEAR, EXCERPT]);
  for (const item of body.related) {
    const now = edited(ESSAY_TEXT, 40);
    const texts: Record<string, string> = {
      [MIRROR]: ESSAY_TEXT,
      [NEAR]: edited(ESSAY_TEXT, 60),
      [EXCERPT]: ESSAY_TEXT.split(' ').slice(100, 160).join(' '),
    };
    const truth = exact(now, texts[item.url]!);
    assert.equal(item.measure, 'exact');
    near(item.similarity, truth.resemblance);
    near(item.containment.asked_in_result, truth.aInB);
    near(item.containment.result_in_asked, truth.bInA);
    assert.equal(item.same_site, false);
  }
  const explained = await ask('/related', { url: ESSAY, by: 'copy', explain: true });
  assert.deepEqual(explained.body.related, body.related);
});

test('copies are asked for by batch, as HTML, and by filter', async () => {
  const { body: batch } = await post('/related/batch', { urls: [MIRROR, STEADY], by: 'copy', limit: 1 });
  assert.deepEqual(batch.results[0], (await ask('/related', { url: MIRROR, by: 'copy', limit: 1 })).body);
  assert.deepEqual([batch.results[1].related, batch.results[1].empty_reason], [[], 'below_threshold']);
  assert.equal(batch.groups, undefined);
  const { body: grouped } = await post('/related/batch', {
    urls: [MIRROR, STEADY, ESSAY, 'x'],
    by: 'copy',
    group: true,
  });
  assert.deepEqual(
    grouped.groups.map(({ members }: { members: { rank: number }[] }) => members.map(({ rank }) => rank)),
    [[0, 2], [1], [3]],
  );
  const { text } = await ask('/related.html', { url: MIRROR, by: 'copy' });
  assert.equal(text.match(/<li /g)?.length, 3);
  const { body: own } = await ask('/related', { url: ESSAY, by: 'copy', same_site: 'only' });
  assert.deepEqual([own.related, own.empty_reason], [[], 'excluded']);
  const { body: unfetched } = await ask('/related', { url: LINKED, by: 'copy' });
  assert.equal(unfetched.empty_reason, 'too_little_text');
});

test('a text is compared with all pages at whatever URL of the index it stands', async () => {
  const copiesAt = async (url?: string) => {
    const { body } = await post('/similar?by=copy', { text: ESSAY_TEXT, url });
    return urlsOf(body);
  };
  const everywhere = await copiesAt();
  assert.equal(everywhere.length, 4);
  for (const url of [LINKED, OLD, STEADY, ESSAY]) {
    const others = everywhere.filter((one) => one !== url);
    assert.deepEqual(await copiesAt(url), others, url);
  }
});

test('answers about copies from the file and from memory are the same', async () => {
  const stored = await fileAsker(indexPath);
  for (const path of ['/related', '/cluster', '/moved', '/history']) {
    const query = { url: ESSAY, ...(/related|cluster/.test(path) && { by: 'copy' }) };
    const { status, text } = await ask(path, query);
    assert.equal(status, 200);
    assert.equal((await stored(path, query)).text, text);
  }
});

test('clusters of copies are found by page, by list and by id', async () => {
  const { body: ofPage } = await ask('/cluster', { url: NEAR, by: 'copy' });
  assert.deepEqual(
    ofPage.members.map(({ url }: { url: string }) => url),
    [ESSAY, MIRROR, NEAR],
  );
  const { body: list } = await ask('/clusters', { by: 'copy', limit: 1 });
  assert.deepEqual(list.clusters, [ofPage.cluster]);
  const { body: byId } = await ask(`/clusters/${ofPage.cluster.id}`);
  assert.deepEqual([byId.by, byId.members], ['copy', ofPage.members]);
});

test('a posted document is answered with its copies, wherever they were met', async () => {
  const excerpt = ESSAY_TEXT.split(' ').slice(0, 400).join(' ');
  const { body } = await post('/similar?by=copy', { text: excerpt });
  assert.deepEqual(urlsOf(body), [MIRROR, NEAR, ESSAY, EXCERPT]);
  const mirror = body.related[0];
  near(mirror.containment.asked_in_result, 1, 0);
  near(mirror.containment.result_in_asked, exact(excerpt, ESSAY_TEXT).bInA, 0.06);
  near(body.related[3].containment.result_in_asked, 1, 0);
  const { body: whole } = await post('/similar?by=copy', { text: ESSAY_TEXT });
  assert.deepEqual([whole.related[0].url, whole.related[0].similarity], [MIRROR, 1]);
  assert.equal(whole.cluster.id, (await ask('/cluster', { url: MIRROR, by: 'copy' })).body.cluster.id);
  const { body: known } = await post('/similar?by=copy', { text: ESSAY_TEXT, url: MIRROR });
  assert.ok(!urlsOf(known).includes(MIRROR), 'a document is not a copy of itself');
  const { body: other } = await post('/similar?by=copy', { text: prose(99, 100) });
  assert.deepEqual([other.related, other.empty_reason, other.cluster], [[], 'below_threshold', null]);
  const { body: empty } = await post('/similar?by=copy', { text: '' });
  assert.equal(empty.empty_reason, 'too_little_text');
});

test('two posted texts are compared exactly, and their passages are the same words', async () => {
  const texts = [`${prose(11, 40)}. ${ESSAY_TEXT}`, `${edited(ESSAY_TEXT, 70)}\n\n${prose(12, 40)}`];
  const { status, body } = await post('/compare?include_text=true', {
    a: { text: texts[0] },
    b: { html: `<title>B</title><p>${texts[1]}</p>` },
  });
  assert.equal(status, 200);
  const truth = exact(body.a.text, body.b.text);
  assert.deepEqual([body.measure, body.equality, body.topic], ['exact', 'different', null]);
  near(body.resemblance.value, truth.resemblance);
  near(body.containment.a_in_b.value, truth.aInB);
  near(body.containment.b_in_a.value, truth.bInA);
  assert.equal(body.resemblance.standard_error, 0);
  // 40 words before and 40 behind, and the words that `edited` put in the place of others.
  const words = (text: string) => text.split(/\s+/);
  const own = words(edited(ESSAY_TEXT, 70)).filter((word, i) => word !== words(ESSAY_TEXT)[i]);
  assert.deepEqual(body.edit_distance, { value: 80 + own.length, exact: true });
  assert.equal(body.passages.length, body.passage_count);
  assert.ok(body.passages.length >= 8);
  for (const { a, b, token_count: count } of body.passages) {
    const words = body.a.text.slice(a.start, a.end);
    assert.equal(words, body.b.text.slice(b.start, b.end));
    assert.equal(words.split(/\s+/).length, count);
  }
});

test('pages of the index are compared by their texts, and are never more equal than they are', async () => {
  const equality = async (a: object, b: object) => (await post('/compare', { a, b })).body.equality;
  assert.equal(await equality({ url: MIRROR }, { url: MIRROR }), 'identical');
  assert.equal(await equality({ url: MIRROR }, { title: 'An essay', text: ESSAY_TEXT }), 'identical');
  assert.equal(await equality({ url: MIRROR }, { text: ESSAY_TEXT.toUpperCase() }), 'lexically_equal');
  const rounds = (count: number) => `${prose(20, 12)} `.repeat(count);
  assert.equal(await equality({ text: rounds(3) }, { text: rounds(4) }), 'shingle_equal');
  assert.equal(await equality({ url: MIRROR }, { url: NEAR }), 'different');
  const { body } = await post('/compare', { a: { url: MIRROR }, b: { url: EXCERPT } });
  assert.equal(body.measure, 'exact');
  assert.equal(body.containment.b_in_a.value, 1);
  assert.deepEqual(
    body.passages.map(({ token_count: count }: { token_count: number }) => count),
    [60],
  );
  assert.ok(!('text' in body.a));
});

test('an index that keeps no texts compares by sketches and says so', async () => {
  const bare = join(folder, 'bare.akin');
  writeSweepsIndex(bare, false);
  const other = await fixtureApp(bare);
  const payload = { a: { url: MIRROR }, b: { text: edited(ESSAY_TEXT, 60) } };
  const { body } = { body: (await other.inject({ method: 'POST', url: '/compare', payload })).json() };
  assert.deepEqual(
    [
      body.measure,
      body.edit_distance,
      body.segments,
      body.passages,
      body.passage_count,
      body.passages_missing,
    ],
    ['estimate', null, null, null, null, 'text_not_kept'],
  );
  const truth = exact(ESSAY_TEXT, edited(ESSAY_TEXT, 60)).resemblance;
  assert.ok(body.resemblance.standard_error > 0);
  near(body.resemblance.value, truth, 4 * body.resemblance.standard_error);
  const same = { a: { url: MIRROR }, b: { text: ESSAY_TEXT } };
  const { equality } = (await other.inject({ method: 'POST', url: '/compare', payload: same })).json();
  assert.equal(equality, 'lexically_equal');
});

test('a comparison that cannot be made says which side and why', async () => {
  const refused = async (payload: object) => {
    const { status, body } = await post('/compare', payload);
    return [status, body.code, body.errors?.[0]?.parameter ?? body.detail.slice(0, 2)];
  };
  const a = { text: 'x' };
  assert.deepEqual(await refused({ a }), [400, 'invalid-body', 'b']);
  assert.deepEqual(await refused({ a, b: 'text' }), [400, 'invalid-body', 'b']);
  assert.deepEqual(await refused({ a, b: {} }), [400, 'invalid-body', 'b:']);
  assert.deepEqual(await refused({ a, b: { colour: 'red' } }), [400, 'invalid-body', 'b.colour']);
  assert.deepEqual(await refused({ a: { text: 'x', html: 'y' }, b: a }), [
    400,
    'invalid-parameters',
    'a.text',
  ]);
  assert.deepEqual(await refused({ a, b: { url: 'https://nowhere.example/' } }), [
    404,
    'page-not-indexed',
    'b.url',
  ]);
  assert.deepEqual(await refused({ a, b: { url: LINKED } }), [404, 'page-not-indexed', 'b.url']);
  const large = await post('/compare', { a, b: { text: 'word '.repeat(900_000) } });
  assert.deepEqual([large.status, large.body.code], [413, 'body-too-large']);
});

test('a list of results is folded in its order, and unknown results stay alone', async () => {
  const results = [
    STEADY,
    MIRROR,
    'https://nowhere.example/a',
    { url: 'not even a URL', text: edited(ESSAY_TEXT, 60) },
    ESSAY,
    'nonsense',
    STEADY,
    LINKED,
  ];
  const { body, headers } = await post('/group', { results, by: 'copy' });
  assert.equal(headers['cache-control'], 'no-store');
  const ranks = (groups: { members: { rank: number }[] }[]) =>
    groups.map(({ members }) => members.map(({ rank }) => rank));
  assert.deepEqual(ranks(body.groups), [[0, 6], [1, 3, 4], [2], [5], [7]]);
  assert.deepEqual(
    body.groups.map(({ unknown }: { unknown: boolean }) => unknown),
    [false, false, true, true, true],
  );
  assert.equal(body.hidden_count, 3);
  for (const { representative, members, hidden_count: hidden } of body.groups) {
    const { resemblance: ofItself, measure, ...first } = members[0];
    assert.deepEqual([first, ofItself, hidden], [representative, 1, members.length - 1]);
    assert.ok(measure === 'exact' || measure === null);
  }
  near(body.groups[1].members[1].resemblance, exact(ESSAY_TEXT, edited(ESSAY_TEXT, 60)).resemblance);
  const { body: strict } = await post('/group', { results, threshold: 0.95 });
  assert.deepEqual(ranks(strict.groups), [[0, 6], [1], [2], [3], [4], [5], [7]]);
});

test('a list that cannot be folded names what is wrong with it', async () => {
  const refused = async (payload: object) => {
    const { status, body } = await post('/group', payload);
    return [status, body.code, body.errors[0].parameter];
  };
  assert.deepEqual(await refused({}), [400, 'invalid-body', 'results']);
  assert.deepEqual(await refused({ results: [] }), [400, 'invalid-body', 'results']);
  assert.deepEqual(await refused({ results: [3] }), [400, 'invalid-body', 'results']);
  assert.deepEqual(await refused({ results: ['x'.repeat(5000)] }), [400, 'invalid-body', 'results']);
  assert.deepEqual(await refused({ results: [ESSAY, { text: 'x' }] }), [
    400,
    'invalid-body',
    'results[1].url',
  ]);
  assert.deepEqual(await refused({ results: [ESSAY], by: 'topic' }), [400, 'invalid-body', 'by']);
  assert.deepEqual(await refused({ results: [ESSAY], threshold: 2 }), [400, 'invalid-body', 'threshold']);
});

test('an index without copies refuses what needs them, and compares posted texts all the same', async () => {
  const { buildFixture } = await import('./fixture-index.ts');
  const plainPath = join(folder, 'plain.akin');
  await buildFixture(plainPath, undefined, { copies: false });
  const plain = await fixtureApp(plainPath);
  for (const path of ['/moved', '/history']) {
    const { status, body } = await asker(plain)(path, { url: 'https://garden.example/roses/1' });
    assert.deepEqual([status, body.code], [400, 'relation-not-in-index']);
  }
  const group = await plain.inject({ method: 'POST', url: '/group', payload: { results: [ESSAY] } });
  assert.deepEqual([group.statusCode, group.json().code], [400, 'relation-not-in-index']);
  const batch = { urls: [ESSAY], group: true };
  const { groups } = (await plain.inject({ method: 'POST', url: '/related/batch', payload: batch })).json();
  assert.equal(groups, null);
  const payload = { a: { text: 'rose petal thorn cane pruning' }, b: { text: 'rose petal thorn cane soil' } };
  const compared = (await plain.inject({ method: 'POST', url: '/compare', payload })).json();
  assert.ok(compared.topic.similarity > 0.3 && compared.topic.similarity < 1);
});

test('the text of a page that no later sweep met is found at its address and where it moved to, that of one that is gone nowhere', async () => {
  const { body } = await post('/similar?by=copy', { text: OLD_TEXT });
  assert.deepEqual(urlsOf(body), [OLD, NEW]);
  assert.deepEqual(urlsOf((await post('/similar?by=copy', { text: prose(3, 150) })).body), []);
});
