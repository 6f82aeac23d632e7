/** Damage to the copy relation, planted in a copy of a sound index, is named by the check of its invariant. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NeighborList } from '../../../src/join/pairs/neighbor-table.ts';
import { decodeNeighbors, encodeNeighbors } from '../../../src/store/blobs/blobs.ts';
import { decodeKeys, encodeKeys, encodeText } from '../../../src/store/blobs/sketch-blobs.ts';
import { readTextBlock, TextBlock } from '../../../src/store/blobs/text-blocks.ts';
import { buildPages } from '../../indexer/build.ts';
import { COPY_PAGES, MENU_HOST, ORIGINAL } from '../../indexer/copy-pages.ts';
import { longTest } from '../../long-test.ts';
import { type Damage, type Db, expectNamed, rewrite } from './damage.ts';

const ORIGINAL_PAGE = `(SELECT id FROM page WHERE url = '${ORIGINAL}')`;
const ORIGINAL_VERSION = `(SELECT version_id FROM capture WHERE page_id = ${ORIGINAL_PAGE})`;
const COPY_CLUSTER = `(SELECT id FROM cluster WHERE relation_id = 2 AND center_id = ${ORIGINAL_PAGE})`;

/** Exchanges the texts of the first block. */
const retext = (db: Db, change: (texts: Uint8Array[]) => Uint8Array[]) =>
  rewrite(db, 'version_text', 'texts', 'first_version_id = 0', (blob) => {
    const block = new TextBlock();
    for (const text of change(readTextBlock(blob))) block.add(text);
    return block.pack();
  });

const relistOriginal = (db: Db, change: (list: NeighborList) => NeighborList) =>
  rewrite(db, 'neighbor', 'entries', `relation_id = 2 AND page_id = ${ORIGINAL_PAGE}`, (blob) =>
    encodeNeighbors(change(decodeNeighbors(blob))),
  );

const DAMAGES: readonly Damage[] = [
  [
    'a capture that points elsewhere',
    (db) => db.exec(`UPDATE capture SET version_id = 0 WHERE page_id = (SELECT max(page_id) FROM capture)`),
    /versions: a capture of page \d+ points to no version of its text/,
  ],
  [
    'a version lost',
    (db) => db.exec(`DELETE FROM version WHERE id = ${ORIGINAL_VERSION}`),
    /versions: a capture of page \d+ points to no version[\s\S]*version ids are not dense/,
  ],
  [
    'a text exchanged',
    (db) => retext(db, (texts) => texts.with(3, encodeText('Another', 'text'))),
    /versions: the text of version 3 does not match its digest/,
  ],
  [
    'a text lost',
    (db) => retext(db, (texts) => texts.slice(0, 3)),
    /versions: the text of version 3 is missing/,
  ],
  [
    'a text cut short',
    (db) => rewrite(db, 'version_text', 'texts', 'first_version_id = 0', (blob) => blob.subarray(0, -3)),
    /versions: a stored value of text has the wrong length/,
  ],
  [
    'a key lost',
    (db) => rewrite(db, 'version', 'keys', `id = ${ORIGINAL_VERSION}`, () => encodeKeys(Float64Array.of(5))),
    /versions: the sketch of version \d+ does not match its text/,
  ],
  [
    'keys out of order',
    (db) =>
      rewrite(db, 'version', 'keys', `id = ${ORIGINAL_VERSION}`, (blob) => {
        // So few keys have their lower and upper bytes one after the other, those of the finest level last.
        const count = decodeKeys(blob).length;
        const head = blob.length - 5 * count;
        assert.ok(count > 1 && head < 16);
        blob.copyWithin(head + 4 * (count - 1), head + 4 * (count - 2), head + 4 * (count - 1));
        blob[blob.length - 1] = blob.at(-2)!;
        return blob;
      }),
    /versions: the sketch of version \d+ is not ascending/,
  ],
  [
    'token counts changed',
    (db) => db.exec('UPDATE version SET token_count = token_count + 1'),
    /versions: the sketch of version \d+ does not match its text/,
  ],
  [
    'a resemblance changed',
    (db) =>
      relistOriginal(db, (list) => {
        list.shared[list.shared.length - 1]!--;
        return list;
      }),
    /copy resemblances: pages \d+ and \d+ are stored at \d+\/\d+, but their sketches give/,
  ],
  [
    'an equal page left out',
    (db) =>
      relistOriginal(db, ({ ids, shared, total }) => ({
        ids: ids.subarray(1),
        shared: shared.subarray(1),
        total: total.subarray(1),
      })),
    /copy resemblances: page \d+ has 1 equal pages among its neighbors, but there are 2/,
  ],
  [
    'a template lost',
    (db) => {
      const keys = db.prepare('SELECT keys FROM version ORDER BY length(keys) DESC LIMIT 1').pluck().get();
      db.prepare(`INSERT INTO template_shingle VALUES ('b.example', ?)`).run(keys);
      db.exec(`UPDATE template_shingle SET host = 'a.example' WHERE host = 'b.example'`);
    },
    /digests: table template_shingle/,
  ],
  [
    'a member lost',
    (db) =>
      db.exec(`DELETE FROM member WHERE cluster_id = ${COPY_CLUSTER} AND page_id <> ${ORIGINAL_PAGE}
        AND similarity < 1; UPDATE cluster SET size = size - 1, radius = 1 WHERE id = ${COPY_CLUSTER}`),
    /copy clusters: page \d+ has a pair outside its cluster/,
  ],
  [
    'a member too many',
    (db) =>
      db.exec(`INSERT INTO member SELECT ${COPY_CLUSTER}, id, 0 FROM page WHERE url LIKE 'https://${MENU_HOST}/1';
        UPDATE cluster SET size = size + 1, radius = 0 WHERE id = ${COPY_CLUSTER}`),
    /copy clusters: (cluster \d+ has 2 parts that no pair connects|page \d+ is stored at 0 to its center)/,
  ],
  [
    'a member further from its center',
    (db) =>
      db.exec(`UPDATE member SET similarity = 0.9 WHERE cluster_id = ${COPY_CLUSTER} AND page_id <> ${ORIGINAL_PAGE};
        UPDATE cluster SET radius = 0.9 WHERE id = ${COPY_CLUSTER}`),
    /copy clusters: page \d+ is stored at 0.9 to its center/,
  ],
  [
    'another center',
    (db) =>
      db.exec(`UPDATE cluster SET center_id = (SELECT max(page_id) FROM member WHERE cluster_id = cluster.id
        AND similarity = 1) WHERE id = ${COPY_CLUSTER}`),
    /copy clusters: cluster \w+ has a page whose URL comes before that of its center/,
  ],
  [
    'a block of shingles lost',
    (db) => db.exec('DELETE FROM shingle_block WHERE first_key = (SELECT max(first_key) FROM shingle_block)'),
    /copy shingles: the shingle index lacks \d+ keys of version/,
  ],
  [
    'a block of shingles moved',
    (db) =>
      db.exec(
        'UPDATE shingle_block SET first_key = first_key + 1 WHERE first_key = (SELECT max(first_key) FROM shingle_block)',
      ),
    /copy shingles: the shingle index gives version \d+ the key \d+, by which it is not looked up/,
  ],
  [
    'copies that nothing speaks of',
    (db) => db.exec(`DELETE FROM parameter WHERE name = 'copy'`),
    /versions: there are versions, but the index says that it has no copies/,
  ],
];

for (const [i, damage] of DAMAGES.entries()) {
  const declare = i % 4 === 0 ? test : longTest;
  declare(`damage to the copy relation is named by the check of its invariant: ${damage[0]}`, async (t) => {
    const { target } = await buildPages(t, COPY_PAGES);
    expectNamed(t, target, damage);
  });
}
