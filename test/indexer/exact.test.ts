/** What an index stores against slow twins that start from its bags, its signatures and the pages' own text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Analyzer } from '../../src/features/counts/analyzer.ts';
import { countPage } from '../../src/features/counts/page-counts.ts';
import { documentBag } from '../../src/features/document-bag.ts';
import type { Part } from '../../src/features/parts.ts';
import type { BagRecipe } from '../../src/features/weigh.ts';
import { extractPage } from '../../src/page/extract-page.ts';
import { TOPIC_PROFILES, topicRecipe } from '../../src/relations/topic.ts';
import type { IndexReader } from '../../src/store/read/reader.ts';
import { builtInStopWords } from '../../src/text/stop-words.ts';
import { type Built, buildPages, PRINTED, pageOf } from './build.ts';
import { PAGES, TOPIC, testAgreement, testNearest } from './exact.ts';
import { document, prose } from './pages.ts';

testNearest(TOPIC_PROFILES.akin.parts);
testNearest({ content: 1 });
testAgreement({ anchor: 1 });

/** The bag that a page's own text gets against the index it is in. */
function ownBag(
  { reader }: Built,
  page: { url: string; html?: string },
  recipe = reader.card().parameters['recipe'] as BagRecipe,
) {
  const analyzer = new Analyzer({ stopWords: builtInStopWords(), spill() {} });
  const { content, title, heading } = countPage(
    extractPage(page.html!, 'text/html', page.url),
    [],
    analyzer,
    {
      windowWords: 8,
      headings: true,
    },
  );
  const lookup = (part: Part, stem: string) => reader.findFeature(TOPIC, part, stem);
  const counts = { content: content.toMap(), title: title.toMap(), heading: heading.toMap() };
  return documentBag(counts, lookup, (part) => reader.partPageCount(TOPIC, part), recipe);
}

test('a page asked about as a new document gets the bag that the index holds', async (t) => {
  const lonely = [0, 1, 2].map((i) => ({
    url: `https://lonely.example/${i}`,
    html: document(`Rose keel dough ${i}`, `<h2>Dough ${i}</h2><p>${prose(70 + i, 80, i)}</p>`),
  }));
  const built = await buildPages(t, [...PAGES, ...lonely]);
  for (const page of lonely) {
    assert.deepEqual(ownBag(built, page), built.reader.bag(TOPIC, pageOf(built.reader, page.url).id));
  }
  for (const profile of ['akin', 'haveliwala2000'] as const) {
    const recipe = topicRecipe(TOPIC_PROFILES[profile], { content: 1 });
    const content = await buildPages(t, PAGES, {
      ...(profile === 'akin' ? {} : PRINTED),
      parts: { content: 1 },
    });
    for (const page of PAGES) {
      const stored = content.reader.bag(TOPIC, pageOf(content.reader, page.url).id);
      assert.deepEqual(ownBag(content, page, recipe), stored, `${profile} ${page.url}`);
      assert.ok(stored.features.length > 5);
    }
  }
});

/** CENTER read off the paper: scan the pairs in page order, similarity as stored with either page. */
function scanCenters(
  reader: IndexReader,
  threshold: number,
): { center: number[]; edges: Map<string, number> } {
  const edges = new Map<string, number>();
  for (const { pageId, list } of reader.allNeighbors(TOPIC)) {
    for (const [i, other] of list.ids.entries()) {
      const value = list.shared[i]! / list.total[i]!;
      if (value < threshold) continue;
      edges.set(`${pageId} ${other}`, value);
      edges.set(`${other} ${pageId}`, value);
    }
  }
  const center: number[] = Array(reader.pageCount).fill(-1);
  for (let page = 0; page < reader.pageCount; page++) {
    if (center[page] !== -1) continue;
    center[page] = page;
    for (let other = 0; other < reader.pageCount; other++) {
      if (center[other] === -1 && edges.has(`${page} ${other}`)) center[other] = page;
    }
  }
  return { center, edges };
}

test('with all pairs asked for, CENTER scans more than the lists of neighbors', async (t) => {
  const { reader } = await buildPages(t, PAGES, { pairSimilarity: 0.2, neighborLimit: 1 });
  const { reader: whole } = await buildPages(t, PAGES, { neighborLimit: 255 });
  const list = { level: 0, sort: 'size', limit: 1000, offset: 0 } as const;
  const keys = (of: IndexReader) => of.clusters.list(TOPIC, list).map(({ key, size }) => `${key} ${size}`);
  assert.deepEqual(keys(reader), keys(whole));
  const { pairs } = reader.card().parameters as { pairs: { similarity: number; recall: number } };
  assert.equal(pairs.similarity, 0.2);
  assert.equal(pairs.recall, 1);
});

test('with all pairs asked for, pages without words are each alone', async (t) => {
  const empty = ['a', 'b'].map((name) => ({ url: `https://empty.example/${name}`, html: '<p>?</p>' }));
  const { reader } = await buildPages(t, [...PAGES, ...empty], { pairSimilarity: 0.2 });
  for (const { url } of empty) {
    const id = reader.findPage(url);
    const own = reader.clusters.ofPage(TOPIC, id)[0]!;
    assert.deepEqual([own.centerId, own.size, own.radius], [id, 1, 1]);
  }
});

for (const profile of ['akin', 'haveliwala2000'] as const) {
  test(`the clusters of ${profile} are those of CENTER over the stored pairs`, async (t) => {
    // Two copies each of three pages: twins are where the printed way takes a short cut.
    const twins = PAGES.slice(4, 7).map((page, i) => ({ ...page, url: `https://twin.example/${i}` }));
    const options = profile === 'akin' ? {} : { ...PRINTED, neighborLimit: 255 };
    const { reader } = await buildPages(t, [...PAGES, ...twins], options);
    const { center, edges } = scanCenters(reader, 0.2);
    const clusters = reader.clusters.list(TOPIC, { level: 0, sort: 'size', limit: 1000, offset: 0 });
    assert.equal(clusters.length, new Set(center).size);
    assert.ok(clusters[0]!.size > 2, 'the largest cluster is more than a pair');
    for (const cluster of clusters) {
      const members = reader.clusters.members(cluster.id, 1000, 0);
      assert.equal(members[0]!.pageId, cluster.centerId);
      for (const { pageId, similarity } of members) {
        assert.equal(center[pageId], cluster.centerId);
        assert.equal(
          similarity,
          pageId === cluster.centerId ? 1 : edges.get(`${pageId} ${cluster.centerId}`),
        );
      }
      assert.equal(cluster.radius, Math.min(...members.map((member) => member.similarity)));
    }
  });
}
