import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { asker, fixtureApp, fixtureIndex } from './fixture-app.ts';
import { buildFixture, fixturePages, GARDEN, MOVED, TINY, temporaryFolder } from './fixture-index.ts';

/** Each on half of the pages: words of all pages would weigh nothing. */
const FOOTERS = [
  'Something wrong, text missing, sample broken? Edit page',
  'Further questions: read forum, ask others, answer strangers',
];

const indexPath = await fixtureIndex();
const ask = asker(await fixtureApp(indexPath));

test('the members of a cluster come center first, then the nearest to it, page by page', async () => {
  const { body: whole } = await ask('/cluster', { url: `${GARDEN}3`, limit: 100 });
  assert.ok(whole.cluster.size > 3);
  assert.equal(whole.members.length, whole.cluster.size);
  assert.equal(whole.members[0].url, whole.cluster.center.url);
  assert.equal(whole.members[0].similarity, 1);
  const figures = whole.members.map(({ similarity }: { similarity: number }) => similarity);
  assert.deepEqual(
    figures,
    figures.toSorted((a: number, b: number) => b - a),
  );
  assert.equal(figures.at(-1), whole.cluster.radius);
  assert.ok(whole.members.some(({ url }: { url: string }) => url === `${GARDEN}3`));
  assert.deepEqual(whole.levels[0], whole.cluster);

  const paged = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await ask('/cluster', {
      url: `${GARDEN}3`,
      limit: 2,
      ...(cursor === '' ? {} : { cursor }),
    });
    paged.push(...body.members);
    cursor = body.next;
  }
  assert.deepEqual(paged, whole.members);
});

test('a cluster is the same by its page, by an alias and by its id', async () => {
  const { body: ofPage } = await ask('/cluster', { url: `${GARDEN}0`, limit: 5 });
  const { body: ofAlias } = await ask('/cluster', { url: MOVED, limit: 5 });
  assert.deepEqual({ ...ofAlias, next: null }, { ...ofPage, next: null });
  const { body: byId } = await ask(`/clusters/${ofPage.cluster.id}`, { limit: 5 });
  const { members, next, generation, children, ...summary } = byId;
  assert.deepEqual(children, [], 'the finest has none below it');
  assert.deepEqual(summary, ofPage.cluster);
  assert.deepEqual(members, ofPage.members);
  assert.equal(generation, ofPage.generation);
  assert.equal(typeof next, 'string');
});

test('the topics right below a topic hold all of its pages', async () => {
  const { body } = await ask('/clusters', { level: 1, limit: 100 });
  assert.ok(body.clusters.length > 0);
  for (const topic of body.clusters) {
    const { children } = (await ask(`/clusters/${topic.id}`)).body;
    const sizes = children.map(({ size }: { size: number }) => size);
    assert.deepEqual(
      sizes,
      sizes.toSorted((a: number, b: number) => b - a),
    );
    assert.equal(
      sizes.reduce((sum: number, size: number) => sum + size, 0),
      topic.size,
    );
    for (const { center, level } of children) {
      assert.equal(level, 0);
      const { levels } = (await ask('/cluster', { url: center.url })).body;
      assert.ok(levels.some(({ id }: { id: string }) => id === topic.id));
    }
  }
});

test('clusters are listed by size and by label, and every page is in one', async () => {
  const { body: bySize } = await ask('/clusters', { limit: 100 });
  const sizes = bySize.clusters.map(({ size }: { size: number }) => size);
  assert.deepEqual(
    sizes,
    sizes.toSorted((a: number, b: number) => b - a),
  );
  assert.equal(bySize.clusters.length, bySize.total);
  const { body: index } = await ask('/index');
  assert.equal(
    sizes.reduce((sum: number, size: number) => sum + size, 0),
    index.page_count,
  );

  const { body: byLabel } = await ask('/clusters', { sort: 'label', limit: 100 });
  const labels = byLabel.clusters.map(({ label }: { label: string }) => label);
  assert.deepEqual(labels, labels.toSorted());

  const { body: first } = await ask('/clusters', { limit: 1 });
  const { body: second } = await ask('/clusters', { limit: 1, cursor: first.next });
  assert.deepEqual([...first.clusters, ...second.clusters], bySize.clusters.slice(0, 2));
  const crossed = await ask('/clusters', { sort: 'label', limit: 1, cursor: first.next });
  assert.equal(crossed.body.code, 'invalid-cursor');
});

test('clusters are listed by their size, and those of pages known by one link text can be left out', async () => {
  const footer = (i: number) =>
    `</p>${FOOTERS[i % 2]} <a href="https://edit.example/${i}">${FOOTERS[i % 2]}</a>`;
  const linked = fixturePages().map(({ url, html }, i) => ({ url, html: html.replace('</p>', footer(i)) }));
  const path = join(temporaryFolder({ after }), 'linked.akin');
  await buildFixture(path, linked, { parts: { content: 0.8, title: 0.05, anchor: 0.15 } });
  const askLinked = asker(await fixtureApp(path));
  const { body: whole } = await askLinked('/clusters', { limit: 100 });
  assert.equal(whole.clusters.length, whole.total);
  type Listed = { size: number; center: { url: string } };
  const isRead = ({ center }: Listed) => !center.url.startsWith('https://edit.example/');
  const sizes = (list: Listed[]) => list.map(({ size }) => size);
  const read: Listed[] = whole.clusters.filter(isRead);
  const rest: Listed[] = whole.clusters.filter((one: Listed) => !isRead(one));
  assert.ok(Math.max(...sizes(rest)) > sizes(read)[0]!, 'the link text makes the largest cluster');
  assert.deepEqual(
    sizes(whole.clusters),
    sizes(whole.clusters).toSorted((a, b) => b - a),
  );
  const { body: fetched } = await askLinked('/clusters', { limit: 100, fetched: 'only' });
  assert.deepEqual(fetched.clusters, read);
  assert.equal(fetched.total, read.length);

  const paged: Listed[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await askLinked('/clusters', { limit: 2, ...(cursor === '' ? {} : { cursor }) });
    paged.push(...body.clusters);
    cursor = body.next;
  }
  assert.deepEqual(paged, whole.clusters);
});

test('clusters are found by a part of their label, with members as examples', async () => {
  const { body: whole } = await ask('/clusters', { limit: 100 });
  type Listed = { id: string; label: string; size: number; examples: { url: string }[] };
  const some: Listed = whole.clusters.find(({ size, label }: Listed) => size > 2 && label !== '');
  const word = some.label.split(', ')[0]!;
  const { body: found } = await ask('/clusters', { limit: 100, label: word.toUpperCase(), examples: 2 });
  const having: Listed[] = whole.clusters.filter(({ label }: Listed) => label.includes(word));
  assert.ok(having.length > 0 && having.length < whole.total);
  assert.equal(found.total, having.length);
  assert.deepEqual(
    found.clusters.map(({ id }: Listed) => id),
    having.map(({ id }) => id),
  );
  for (const { id, size, examples } of found.clusters as Listed[]) {
    const { body: one } = await ask(`/clusters/${id}`, { limit: 3 });
    const members: { url: string }[] = one.members;
    assert.deepEqual(
      examples.map(({ url }) => url),
      members.slice(1).map(({ url }) => url),
    );
    assert.equal(examples.length, Math.min(2, size - 1));
  }
  const { body: none } = await ask('/clusters', { label: 'no%such_label' });
  assert.deepEqual([none.total, none.clusters], [0, []]);
});

test('a cluster that is not there is 404, a level that is not there is empty', async () => {
  const none = await ask('/clusters/0123456789abcdef');
  assert.deepEqual([none.status, none.body.code], [404, 'cluster-not-found']);
  const { body } = await ask('/clusters', { level: 7 });
  assert.deepEqual([body.total, body.clusters, body.next], [0, [], null]);
});

test('a page tells what is stored of it', async () => {
  const { body } = await ask('/page', { url: MOVED });
  assert.equal(body.url, `${GARDEN}0`);
  assert.equal(body.site, 'garden.example');
  assert.equal(body.lang, 'en');
  assert.deepEqual(body.aliases, [{ url: MOVED, kind: 'redirect' }]);
  assert.deepEqual([body.in_link_count, body.out_link_count], [1, 1]);
  assert.equal(body.sweeps[0].fetched_at, '2026-01-02T03:04:05.000Z');
  assert.equal(body.bags[0].by, 'topic');
  for (const [part, terms] of Object.entries(body.bags[0].terms) as [
    string,
    { part: string; weight: number }[],
  ][]) {
    assert.ok(terms.length > 0 && terms.length <= 10);
    assert.ok(terms.every((term) => term.part === part));
    assert.deepEqual(
      terms,
      terms.toSorted((a, b) => b.weight - a.weight),
    );
  }
  const { body: tiny } = await ask('/page', { url: TINY });
  assert.deepEqual(tiny.bags[0], { by: 'topic', sum: 0, terms: {} });
});
