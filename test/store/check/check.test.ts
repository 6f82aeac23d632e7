/** Each damage is planted in a copy of a sound index, and the check of that invariant must name it. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { NeighborList } from '../../../src/join/pairs/neighbor-table.ts';
import {
  decodeBag,
  decodeNeighbors,
  decodePosting,
  encodeBag,
  encodeNeighbors,
  encodePosting,
} from '../../../src/store/blobs/blobs.ts';
import { readTextBlock, TextBlock } from '../../../src/store/blobs/text-blocks.ts';
import { checkIndex } from '../../../src/store/check/check.ts';
import { buildPages, temporaryFolder } from '../../indexer/build.ts';
import { villagePages } from '../../indexer/pages.ts';
import { longTest } from '../../long-test.ts';
import { type Damage, type Db, expectNamed, rewrite, someNeighbors } from './damage.ts';

const set = (at: number, value: (before: number) => number) => (blob: Buffer) => {
  blob[at] = value(blob[at]!);
  return blob;
};
/** Changes the list of a page that has four neighbors or more. */
const relist = (db: Db, change: (list: NeighborList) => void) =>
  rewrite(db, 'neighbor', 'entries', someNeighbors(db), (blob) => {
    const list = decodeNeighbors(blob);
    change(list);
    return Buffer.from(encodeNeighbors(list));
  });
const repost = (db: Db, where: string, change: (entries: Uint32Array) => Uint32Array) =>
  rewrite(db, 'posting', 'entries', where, (blob) => Buffer.from(encodePosting(change(decodePosting(blob)))));
/** Puts bytes behind the first record of page_input that says something. */
const reinput = (db: Db, behind: Buffer) =>
  rewrite(db, 'page_input', 'records', 'block_id = 0', (blob) => {
    const records = readTextBlock(blob);
    const first = records.findIndex((record) => record.length > 0);
    const block = new TextBlock();
    for (const [i, record] of records.entries())
      block.add(i === first ? Buffer.concat([record, behind]) : record);
    return Buffer.from(block.pack());
  });
const bigCluster = (db: Db) =>
  db.prepare('SELECT id FROM cluster ORDER BY size DESC LIMIT 1').pluck().get() as number;

const DAMAGES: readonly Damage[] = [
  [
    'a heading behind the text of its page',
    (db) => reinput(db, Buffer.of(0xff, 0xff, 0x7f, 5)),
    /inputs: page \d+ has a link, a heading or a part with a weight outside its text/,
  ],
  [
    'a heading cut off',
    (db) => reinput(db, Buffer.of(1)),
    /inputs: page \d+: a stored value of page_input has the wrong length/,
  ],
  [
    'a relation that is not known',
    (db) => assert.equal(db.prepare("UPDATE relation SET name = 'taste' WHERE id = 1").run().changes, 1),
    /relations: no build writes the relation "taste"/,
  ],
  [
    'a score flipped',
    (db) =>
      relist(db, ({ shared }) => {
        shared[0]! ^= 1;
      }),
    /topic neighbors: pages .* is not exact/,
  ],
  [
    'two neighbors swapped',
    (db) =>
      relist(db, ({ ids }) => {
        [ids[0], ids[ids.length - 1]] = [ids[ids.length - 1]!, ids[0]!];
      }),
    /topic neighbors: /,
  ],
  [
    'a neighbor twice',
    (db) =>
      relist(db, ({ ids }) => {
        ids[1] = ids[0]!;
      }),
    /topic neighbors: .* twice/,
  ],
  [
    'an unknown neighbor',
    (db) =>
      relist(db, ({ ids }) => {
        ids[0] = 0x7f000000;
      }),
    /topic neighbors: .* unknown neighbor/,
  ],
  [
    'a list cut inside an entry',
    (db) => rewrite(db, 'neighbor', 'entries', someNeighbors(db), (blob) => blob.subarray(1)),
    /topic neighbors: a stored value of .* has the wrong length/,
  ],
  [
    'too many neighbors',
    (db) => db.exec('UPDATE relation SET neighbor_limit = 1'),
    /topic neighbors: page \d+ has \d+ neighbors/,
  ],
  [
    'a neighbor below the floor',
    (db) => db.exec('UPDATE relation SET floor = 0.9'),
    /topic neighbors: .* has a neighbor at/,
  ],
  [
    'a bag weight changed',
    (db) =>
      rewrite(db, 'bag', 'entries', 'page_id = 0', (blob) => {
        const { features, weights } = decodeBag(blob);
        weights[0]!++;
        return Buffer.from(encodeBag(features, weights));
      }),
    /topic bags: the bag of page 0 sums to/,
  ],
  [
    'a bag out of order',
    (db) =>
      rewrite(db, 'bag', 'entries', 'page_id = 0', () => {
        const farthest = encodeBag(Uint32Array.of(0xffffffff), Uint8Array.of(1)).subarray(1);
        return Buffer.concat([Uint8Array.of(2), farthest, farthest]);
      }),
    /topic bags: the bag of page 0 is not ascending/,
  ],
  ['a bag lost', (db) => db.exec('DELETE FROM bag WHERE page_id = 0'), /topic bags: page 0 has no bag/],
  [
    'a bag sum changed',
    (db) =>
      rewrite(
        db,
        'bag_sum',
        'sums',
        'block_id = 0',
        set(0, (b) => b ^ 1),
      ),
    /topic bags: the bag of page 0 sums to/,
  ],
  [
    'a posting list lost',
    (db) => db.exec('DELETE FROM posting WHERE feature_id = 3'),
    /topic postings: the entries of postings/,
  ],
  [
    'a posting lost',
    (db) =>
      repost(db, 'feature_id = (SELECT max(feature_id) FROM posting)', (entries) => entries.subarray(1)),
    /topic postings: the entries of postings/,
  ],
  [
    'a posting weight changed',
    (db) =>
      repost(db, 'feature_id = 3', (entries) => {
        entries[0]! += 1 << 24;
        return entries;
      }),
    /topic postings: the entries of postings \(\d+\) and of bags \(\d+\) differ/,
  ],
  [
    'a document frequency lowered',
    (db) => db.exec('UPDATE feature SET page_count = 0 WHERE id = 3'),
    /topic features: |topic postings: feature 3/,
  ],
  [
    'a feature lost',
    (db) => db.exec('DELETE FROM feature WHERE id = 3'),
    /topic features: feature ids are not dense at 4/,
  ],
  [
    'members swapped',
    (db) => {
      const [a, b] = db
        .prepare('SELECT id FROM cluster WHERE size > 1 ORDER BY size DESC LIMIT 2')
        .pluck()
        .all() as number[];
      const member = db
        .prepare(
          'SELECT page_id FROM member JOIN cluster ON id = cluster_id WHERE id = ? AND page_id <> center_id LIMIT 1',
        )
        .pluck();
      const [pageA, pageB] = [member.get(a) as number, member.get(b) as number];
      db.exec(`UPDATE member SET page_id = -1 WHERE cluster_id = ${a} AND page_id = ${pageA};
      UPDATE member SET page_id = ${pageA} WHERE cluster_id = ${b} AND page_id = ${pageB};
      UPDATE member SET page_id = ${pageB} WHERE cluster_id = ${a} AND page_id = -1`);
    },
    /topic centers: page \d+ is in cluster .* but the bags give another similarity/,
  ],
  [
    'a member lost',
    (db) => db.exec(`DELETE FROM member WHERE cluster_id = ${bigCluster(db)} AND similarity < 1`),
    /topic clusters: /,
  ],
  [
    'a member counted twice',
    (db) =>
      db.exec(
        'INSERT INTO member SELECT (SELECT max(id) FROM cluster WHERE level = 0 AND relation_id = 1), page_id, 0.5 FROM member WHERE cluster_id = 0 LIMIT 1',
      ),
    /topic clusters: level 0 has \d+ members that are \d+ pages/,
  ],
  [
    'a size changed',
    (db) => db.exec('UPDATE cluster SET size = size + 1 WHERE id = 0'),
    /topic clusters: the size or radius of cluster \S+ does not fit its members/,
  ],
  [
    'a radius changed',
    (db) => db.exec(`UPDATE cluster SET radius = 0.19 WHERE id = ${bigCluster(db)}`),
    /topic clusters: the size or radius of cluster \S+ does not fit its members/,
  ],
  [
    'a center that is no member',
    (db) => db.exec('UPDATE cluster SET center_id = (SELECT max(id) FROM page) WHERE id = 0'),
    /topic clusters: .* own center/,
  ],
  [
    'a topic in pieces',
    (db) => db.exec('DELETE FROM neighbor WHERE relation_id = 1'),
    /topic hierarchy: cluster \S+ is not connected: no path inside it leads from page \d+ to page \d+/,
  ],
  [
    'a cluster without a topic',
    (db) => db.exec('UPDATE cluster SET parent_id = NULL WHERE id = 0'),
    /topic hierarchy: cluster \S+ has no parent of the next level/,
  ],
  [
    'a cluster that skips a level',
    (db) =>
      db.exec(`UPDATE cluster SET parent_id = (SELECT parent_id FROM cluster AS parent
      WHERE parent.id = cluster.parent_id) WHERE id = 0`),
    /topic hierarchy: cluster \S+ has no parent of the next level/,
  ],
  [
    'a cluster in another topic than its pages',
    (db) =>
      db.exec(`UPDATE cluster SET parent_id = (SELECT id FROM cluster AS other WHERE other.level = 1
      AND relation_id = 1 AND other.id <> cluster.parent_id) WHERE id = 0`),
    /topic hierarchy: cluster \S+ has members outside its parent/,
  ],
  [
    'clusters of a lower threshold',
    (db) => db.exec(`UPDATE parameter SET value = '0.9' WHERE name = 'cluster_similarity'`),
    /topic centers: page \d+ is in cluster .* below 0.9/,
  ],
  [
    'centers that are similar',
    (db) => db.exec(`UPDATE parameter SET value = '0.03' WHERE name = 'cluster_similarity'`),
    /topic centers: the centers \d+ and \d+ are a similar pair/,
  ],
  [
    'an in-link count changed',
    (db) => db.exec('UPDATE page SET in_link_count = in_link_count + 1 WHERE id = 5'),
    /links: page 5 counts/,
  ],
  [
    'links lost',
    (db) => db.exec('DELETE FROM link WHERE page_id = (SELECT min(page_id) FROM link)'),
    /links: page \d+ counts/,
  ],
  [
    'a link to nowhere',
    (db) =>
      rewrite(db, 'link', 'targets', 'page_id = (SELECT min(page_id) FROM link)', () =>
        Buffer.from([0xff, 0xff, 0x7f]),
      ),
    /links: page \d+ has a broken link list/,
  ],
  [
    'pages out of order',
    (db) => db.exec(`UPDATE page SET url = 'https://a.example/' WHERE id = 5`),
    /pages: page 5 is out of URL order/,
  ],
  [
    'other answers out of order',
    (db) =>
      db.exec(
        `INSERT OR REPLACE INTO other_input VALUES (0, 'b', 'gone', 1, 0, x''), (1, 'a', 'gone', 1, 0, x'')`,
      ),
    /inputs: the other answer of a is out of order/,
  ],
  ['a page lost', (db) => db.exec('DELETE FROM page WHERE id = 5'), /pages: page ids are not dense/],
  [
    'a page that is an alias',
    (db) => db.exec(`INSERT INTO alias SELECT url, 3, 'redirect' FROM page WHERE id = 5`),
    /pages: .* is both a page and an alias/,
  ],
  [
    'a capture lost',
    (db) => db.exec('DELETE FROM capture WHERE page_id = (SELECT min(page_id) FROM capture)'),
    /pages: .* is fetched but has no capture[\s\S]*records: sweep test read/,
  ],
  [
    'a skipped record more',
    (db) => db.exec(`INSERT INTO skip VALUES (1, 'empty', '', 1)`),
    /records: sweep test read/,
  ],
  [
    'a page of no site',
    (db) => db.exec('UPDATE page SET site_id = 9999 WHERE id = 5'),
    /sqlite integrity: a row of page points to a missing row of site/,
  ],
  ['a title changed', (db) => db.exec(`UPDATE page SET title = 'x' WHERE id = 5`), /digests: table page/],
  [
    'a label changed',
    (db) => db.exec(`UPDATE cluster SET label = 'x' WHERE id = 0`),
    /digests: table cluster/,
  ],
  [
    'a parameter changed',
    (db) => db.exec(`UPDATE parameter SET value = '7' WHERE name = 'window_words'`),
    /digests: table parameter/,
  ],
  [
    'another generation',
    (db) => db.exec(`UPDATE generation SET id = 'ffffffffffffffff'`),
    /digests: the generation .* does not match/,
  ],
  [
    'a digest lost',
    (db) => db.exec(`DELETE FROM table_digest WHERE name = 'page'`),
    /digests: no digest of table page/,
  ],
];

for (const [i, damage] of DAMAGES.entries()) {
  const declare = i % 4 === 0 ? test : longTest;
  declare(`planted damage is named by the check of its invariant: ${damage[0]}`, async (t) => {
    const { target } = await buildPages(t, villagePages(7));
    expectNamed(t, target, damage);
  });
}

test('a page of the file overwritten with noise is named', async (t) => {
  const { target } = await buildPages(t, villagePages(7));
  const bytes = readFileSync(target);
  const copy = join(temporaryFolder(t), 'copy.akin');
  bytes.fill(0xa5, 8192 * 20, 8192 * 21);
  writeFileSync(copy, bytes);
  assert.notDeepEqual(checkIndex(copy).faults, []);
});
