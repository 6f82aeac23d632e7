/** Copies in an index of the indexer's own making, with templates, topics and equal pages. */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { IndexReader } from '../../src/store/read/reader.ts';
import { asker, fixtureApp } from './fixture-app.ts';
import { addSweep, buildFixture, type FixturePage, temporaryFolder } from './fixture-index.ts';
import { edited, prose } from './sweeps-index.ts';

const HOST = 'https://shop.example';
const MENU = prose(50, 80);
const html = (title: string, text: string) => `<html lang="en"><title>${title}</title><p>${text}</p></html>`;
const pages: FixturePage[] = Array.from({ length: 14 }, (_, i) => ({
  url: `${HOST}/item/${i}`,
  html: html(`Item ${i}`, `${MENU} ${prose(60 + i, 120)}`),
}));
const COPY = `${HOST}/copy`;
pages.push({ url: COPY, html: html('Item again', `${MENU} ${edited(prose(60, 120), 60)}`) });
for (const path of ['one/notice.html', 'two/other.html', 'zoo/notice.html'])
  pages.push({ url: `${HOST}/${path}`, html: html('Notice', prose(90, 60)) });
const PAINT = `${HOST}/paint/overview`;
const GLUE = `${HOST}/glue/overview`;
pages.push({ url: PAINT, html: html('Overview', prose(301, 150)) });
pages.push({ url: GLUE, html: html('Overview', prose(302, 150)) });
for (const path of ['dots', 'dashes']) pages.push({ url: `${HOST}/${path}`, html: html('', '...') });
const FRAMED = 'https://framed.example';
const FRAME = prose(400, 120);
for (let i = 0; i < 12; i++)
  pages.push({ url: `${FRAMED}/${i}`, html: html(`Framed ${i}`, `${FRAME} ${prose(410 + i, 40)}`) });
/** Of one text, in each one more word of another. */
const DRAFT = prose(500, 300).split(' ');
const draftUrl = (i: number) => `https://draft${i}.example/`;
for (let i = 0; i < 8; i++) {
  const words = DRAFT.map((word, at) => (at % 30 === 15 && at < 30 * i ? `other${at}` : word));
  pages.push({ url: draftUrl(i), html: html(`Draft ${i}`, words.join(' ')) });
}

const indexPath = join(temporaryFolder({ after }), 'shop.akin');
// The words are few, and most are in most pages.
await buildFixture(indexPath, pages, { maxPageShare: 1 });
const app = await fixtureApp(indexPath);
const ask = asker(app);

test('what all pages of a host say makes none of them a copy', async () => {
  const reader = IndexReader.open(indexPath);
  assert.ok(reader.versions.templateOf('shop.example').length > 30);
  reader.close();
  const { body } = await ask('/related', { url: `${HOST}/item/0`, by: 'copy' });
  assert.deepEqual(
    body.related.map(({ url }: { url: string }) => url),
    [COPY],
  );
  const [{ similarity, measure, containment }] = body.related;
  assert.equal(measure, 'exact');
  assert.ok(similarity > 0.6 && similarity < 1);
  // Both figures are of the same shingles, so the one follows from the other.
  const { asked_in_result: there, result_in_asked: here } = containment;
  assert.ok(Math.abs(similarity - 1 / (1 / there + 1 / here - 1)) < 1e-5);
  const { body: none } = await ask('/related', { url: `${HOST}/item/5`, by: 'copy' });
  assert.deepEqual([none.related, none.empty_reason], [[], 'below_threshold']);
});

test('where pages resemble one by the template of its host alone, the list says so and counts them', async () => {
  const { body } = await ask('/related', { url: `${FRAMED}/3`, by: 'copy' });
  assert.deepEqual(
    [body.related, body.empty_reason, body.complete, body.left_out],
    [[], 'template', true, 11],
  );
  const payload = { a: { url: `${FRAMED}/3` }, b: { url: `${FRAMED}/4` } };
  const compared = (await app.inject({ method: 'POST', url: '/compare', payload })).json();
  assert.ok(compared.resemblance.value > 0.5);
  const { body: near } = await ask('/related', { url: `${FRAMED}/3`, by: 'copy', min_similarity: '0.9' });
  assert.deepEqual([near.related, near.empty_reason, near.left_out], [[], 'below_threshold', 0]);
});

test('a list of copies that are similar enough ends with the last of them', async () => {
  const query = { url: draftUrl(0), by: 'copy' };
  const all = (await ask('/related', query)).body.related;
  assert.equal(all.length, 7);
  for (const [last, { similarity }] of all.entries()) {
    let count = 0;
    for (let cursor: string | null = ''; cursor !== null; ) {
      const asked = { ...query, min_similarity: similarity, limit: 2, ...(cursor && { cursor }) };
      const { body } = await ask('/related', asked);
      assert.ok(body.related.length > 0, `an empty page behind ${count} of ${last + 1}`);
      count += body.related.length;
      cursor = body.next;
    }
    assert.equal(count, last + 1);
  }
});

test('pages of one text are copies of each other, whole and exact', async () => {
  const { body } = await ask('/related', { url: `${HOST}/one/notice.html`, by: 'copy' });
  assert.equal(body.related.length, 2);
  for (const { similarity, measure, containment } of body.related) {
    assert.deepEqual(
      [similarity, measure, containment],
      [1, 'exact', { asked_in_result: 1, result_in_asked: 1 }],
    );
  }
  const { body: cluster } = await ask('/cluster', { url: `${HOST}/one/notice.html`, by: 'copy' });
  assert.deepEqual([cluster.cluster.size, cluster.cluster.radius], [3, 1]);
  const { body: alone } = await ask('/cluster', { url: `${HOST}/item/5`, by: 'copy' });
  assert.deepEqual([alone.cluster, alone.members], [null, []]);
});

test('of many pages of one text the one of the same name is the likeliest', async () => {
  const { body } = await ask('/moved', { url: `${HOST}/one/notice.html` });
  assert.deepEqual(
    body.candidates.map(({ url }: { url: string }) => url),
    [`${HOST}/zoo/notice.html`, `${HOST}/two/other.html`],
  );
});

test('the same title alone speaks for a page where another is lost, not where it is still there', async () => {
  const { body: there } = await ask('/moved', { url: PAINT });
  assert.deepEqual([there.state, there.candidates], ['current', []]);
  const { body: alike } = await ask('/moved', { url: `${HOST}/one/notice.html` });
  assert.deepEqual(alike.candidates[0].evidence, ['same_text', 'resemblance', 'title']);

  const later = join(temporaryFolder({ after }), 'later.akin');
  copyFileSync(indexPath, later);
  await addSweep(later, [{ url: 'https://else.example/', html: html('Elsewhere', prose(77, 90)) }]);
  const { body: elsewhere } = await asker(await fixtureApp(later))('/moved', { url: PAINT });
  assert.equal(elsewhere.state, 'current', 'a sweep of another site says nothing of it');
  const without = pages.filter(({ url }) => url !== PAINT);
  await addSweep(later, without, 'crawl');
  const { body: lost } = await asker(await fixtureApp(later))('/moved', { url: PAINT });
  assert.equal(lost.state, 'not_seen_since');
  assert.deepEqual(
    lost.candidates.map(({ url, evidence }: { url: string; evidence: string[] }) => [url, evidence]),
    [[GLUE, ['title']]],
  );
});

test('pages without a word are copies of none, and moved nowhere', async () => {
  const { body: copies } = await ask('/related', { url: `${HOST}/dots`, by: 'copy' });
  assert.deepEqual([copies.related, copies.empty_reason], [[], 'too_little_text']);
  const { body: moved } = await ask('/moved', { url: `${HOST}/dots` });
  assert.deepEqual(moved.candidates, []);
});

test('copies beyond the list that is stored are found where the filters ask for them', async () => {
  const text = prose(200, 100);
  const many: FixturePage[] = Array.from({ length: 130 }, (_, i) => ({
    url: `https://archive.example/${String(i).padStart(3, '0')}`,
    html: html('Kept', text),
  }));
  const mirrors = [10, 40, 50].map((every) => ({
    url: `https://mirror.example/${every}`,
    html: html('Mirrored', edited(text, every)),
  }));
  const manyPath = join(temporaryFolder({ after }), 'many.akin');
  await buildFixture(manyPath, [...many, ...mirrors]);
  const askMany = asker(await fixtureApp(manyPath));
  const url = many[0]!.url;
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body } = await askMany('/related', { url, by: 'copy', limit: 50, ...(cursor && { cursor }) });
    seen.push(...body.related.map((item: { url: string }) => item.url));
    cursor = body.next;
  }
  const near = mirrors.slice(1).map((mirror) => mirror.url);
  assert.deepEqual(seen, [...many.slice(1).map((page) => page.url), ...near.toReversed()]);
  const { body } = await askMany('/related', { url, by: 'copy', same_site: 'exclude' });
  assert.deepEqual(
    body.related.map((item: { url: string }) => item.url),
    near.toReversed(),
  );
  const { body: ofMirror } = await askMany('/related', { url: near[1]!, by: 'copy', limit: 1 });
  const back = body.related.find((item: { url: string }) => item.url === near[1]);
  assert.equal(back.similarity, ofMirror.related[0].similarity);
});

test('a posted document gets its terms beside its copies, and a comparison its topic', async () => {
  const text = `${MENU} ${prose(60, 120)}`;
  const similar = await app.inject({ method: 'POST', url: '/similar?by=copy', payload: { text } });
  assert.equal(similar.json().related[0].url, `${HOST}/item/0`);
  assert.equal(similar.json().related[0].similarity, 1);
  assert.ok(similar.json().terms.length > 5);
  const payload = { a: { url: `${HOST}/item/0` }, b: { text, title: 'Item 0' } };
  const compared = (await app.inject({ method: 'POST', url: '/compare', payload })).json();
  assert.equal(compared.equality, 'identical');
  assert.ok(compared.topic.similarity > 0.6 && compared.topic.similarity <= 1);
});

test('a list of results of one host is folded by what is their own', async () => {
  const results = [0, 1, 2, 3].map((i) => `${HOST}/item/${i}`).concat(COPY);
  // Their menu alone makes .23 of any two of them.
  for (const threshold of [0.5, 0.2]) {
    const answer = await app.inject({ method: 'POST', url: '/group', payload: { results, threshold } });
    assert.deepEqual(
      answer
        .json()
        .groups.map(({ members }: { members: { rank: number }[] }) => members.map(({ rank }) => rank)),
      [[0, 4], [1], [2], [3]],
    );
  }
});

test('clusterings stand side by side: clusters, lists and the card of each', async () => {
  const book = prose(300, 900);
  const words = book.split(' ');
  const library = (path: string, text: string) => ({
    url: `https://${path}.example/`,
    html: html(path, text),
  });
  const [whole, mirror, revised, excerpt] = [
    library('a-book', book),
    library('b-mirror', `${book} reprinted`),
    library('c-revised', edited(book, 30)),
    library('d-excerpt', words.slice(200, 400).join(' ')),
  ];
  const path = join(temporaryFolder({ after }), 'library.akin');
  await buildFixture(path, [whole!, mirror!, revised!, excerpt!, ...pages], {
    copyClusterings: ['0.9', '0.5', '0.9c'],
  });
  const askLibrary = asker(await fixtureApp(path));
  const urls = (list: { url: string }[]) => list.map(({ url }) => url).sort();
  const expected: Record<string, { url: string }[]> = {
    '0.9': [whole!, mirror!],
    '0.5': [whole!, mirror!, revised!],
    '0.9c': [whole!, mirror!, excerpt!],
  };
  for (const [clustering, members] of Object.entries(expected)) {
    const { body } = await askLibrary('/cluster', { url: whole!.url, by: 'copy', clustering });
    assert.equal(body.cluster.clustering, clustering);
    assert.deepEqual(urls(body.members), urls(members), clustering);
    assert.deepEqual(
      body.levels.map((level: { clustering: string }) => level.clustering),
      Object.keys(expected),
    );
    const { body: list } = await askLibrary('/related', { url: whole!.url, by: 'copy', clustering });
    assert.deepEqual(urls([whole!, ...list.related]), urls(members), clustering);
    const { body: all } = await askLibrary('/clusters', { by: 'copy', clustering });
    assert.ok(all.clusters.some(({ id }: { id: string }) => id === body.cluster.id));
    const { body: index } = await askLibrary('/index');
    const card = index.relations[1].clusterings.find(({ name }: { name: string }) => name === clustering);
    assert.equal(card.cluster_count, all.total);
  }
  const { body: first } = await askLibrary('/cluster', { url: whole!.url, by: 'copy' });
  assert.equal(first.cluster.clustering, '0.9', 'the first where none is named');
  const { body: revisedAlone } = await askLibrary('/cluster', { url: revised!.url, by: 'copy' });
  assert.deepEqual([revisedAlone.cluster, revisedAlone.levels.length], [null, 1]);
  const { body: item } = await askLibrary('/related', {
    url: excerpt!.url,
    by: 'copy',
    clustering: '.90c',
    limit: 1,
  });
  assert.equal(item.related[0].url, whole!.url);
  assert.equal(item.related[0].containment.asked_in_result, 1);
  assert.ok(item.related[0].similarity < 0.3);

  const similar = await askLibrary('/related', { url: whole!.url, by: 'copy', clustering: '0.7' });
  assert.deepEqual([similar.status, similar.body.errors[0].allowed], [400, ['0.9', '0.5', '0.9c']]);
  for (const query of [
    { clustering: '0.9' },
    { by: 'copy', clustering: '0.9', level: 1 },
    { by: 'copy', clustering: '0.9,0.5' },
  ]) {
    const { status, body } = await askLibrary('/clusters', query);
    assert.deepEqual([status, body.code], [400, 'invalid-parameters']);
  }
  const topical = await askLibrary('/related', { url: whole!.url, clustering: '0.9' });
  assert.deepEqual([topical.status, topical.body.errors[0].parameter], [400, 'clustering']);
});
