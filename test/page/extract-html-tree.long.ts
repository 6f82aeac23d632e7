/** Every page of the corpora against the tree of the standard: some 65,000 pages, a few minutes. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { unpacked } from '../../bench/corpora/data.ts';
import { tarFiles } from '../../bench/corpora/tar.ts';
import { decodeBody } from '../../src/page/decode.ts';
import { differenceFromTree } from './tree-difference.ts';

/** Pages of each, and how many of them may differ in a way that has a name. */
const CORPORA = [
  { name: 'uci-crawl', atLeast: 53_000, atMostDifferent: 300 },
  { name: 'mdn-archive', atLeast: 7_900, atMostDifferent: 0 },
  { name: 'httpd-docs', atLeast: 3_000, atMostDifferent: 0 },
  { name: 'manuals', atLeast: 1_200, atMostDifferent: 0 },
];

for (const { name, atLeast, atMostDifferent } of CORPORA) {
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
    for (const [difference, count] of Object.entries(counts)) t.diagnostic(`${difference}: ${count} pages`);
    const different = Object.values(counts).reduce((sum, count) => sum + count, 0);
    assert.ok(compared >= atLeast, `${compared} pages`);
    assert.ok(different <= atMostDifferent, `${different} pages differ`);
  });
}
