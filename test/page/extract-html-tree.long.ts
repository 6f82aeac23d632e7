/** Every page of the corpora against the tree of the standard: some 65,000 pages, a few minutes. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { unpacked } from '../../bench/corpora/data.ts';
import { tarFiles } from '../../bench/corpora/tar.ts';
import { decodeBody } from '../../src/page/decode.ts';
import {
  CUT_TITLE,
  DROPPED_TAG,
  differenceFromTree,
  FRAMESET,
  IN_TABLE,
  NUL,
  OPEN_ANCHOR,
  TABLE_LINK,
} from './tree-difference.ts';

/** Pages of each, and which of them differ, by the name of the difference. */
const CORPORA = [
  {
    name: 'uci-crawl',
    atLeast: 53_000,
    expected: {
      [IN_TABLE]: 233,
      [FRAMESET]: 34,
      [OPEN_ANCHOR]: 16,
      [TABLE_LINK]: 2,
      [CUT_TITLE]: 2,
      [DROPPED_TAG]: 2,
      [NUL]: 1,
    },
  },
  { name: 'mdn-archive', atLeast: 7_900, expected: {} },
  { name: 'httpd-docs', atLeast: 3_000, expected: { [OPEN_ANCHOR]: 7 } },
  { name: 'manuals', atLeast: 1_200, expected: {} },
];

for (const { name, atLeast, expected } of CORPORA) {
  const archive = new URL(`../../../shared/data/${name}/html.tar.zst`, import.meta.url);
  const skip = existsSync(archive) ? false : `${name} is not in ../shared/data`;
  test(`every page of ${name} reads as in the tree`, { skip }, async (t) => {
    const counts: Record<string, number> = {};
    let compared = 0;
    for await (const { path, body } of tarFiles(unpacked(`${name}/html.tar.zst`))) {
      const decoded = decodeBody(body, null);
      if (decoded === null) continue;
      compared++;
      const difference = differenceFromTree(decoded.text, `http://${name}.example/${encodeURI(path)}`);
      if (difference !== null) counts[difference] = (counts[difference] ?? 0) + 1;
    }
    t.diagnostic(`${compared} pages, ${JSON.stringify(counts)}`);
    assert.ok(compared >= atLeast, `${compared} pages`);
    assert.deepEqual(counts, expected);
  });
}
