/** An index that is hard to serve: a family of near copies, a hub that links to all of them and is linked by all, three sweeps. */
import { rmSync } from 'node:fs';
import { defaultShape } from '../../../src/indexer/options/build-options.ts';
import { Random } from '../../../src/lib/random.ts';
import { addSweep, buildFixture, type FixturePage } from '../fixture-index.ts';
import { prose } from '../sweeps-index.ts';

export const HUB = 'https://hub.example/';

/** A page of the family. Two stand on one site: were there more, their text would be the template of the site. */
export const variantUrl = (i: number): string => `https://site${i >> 1}.example/family/${i}`;
/** Where it goes in the second sweep, or the third. */
export const laterUrl = (i: number): string => `https://site${i >> 1}.example/later/${i}`;

/** Letters alone make a word. */
const worded = (name: string): string => name.replace(/\d/g, (digit) => 'bcdfghjklm'[Number(digit)]!);

/** Variants of one group are related by words of it. */
const GROUPS = 60;

/**
 * The text of a family with some words of its own in each variant, so that all are copies and no two are equal, and words of
 * a group.
 */
function variantPage(url: string, i: number, sweep: number): FixturePage {
  const random = new Random(1000 + i);
  const words = prose(5, 400).split(' ');
  for (let change = 0; change < 4 + sweep; change++)
    words[random.below(words.length)] = worded(`own${i}x${change}`);
  const group = Array.from({ length: 12 }, () => worded(`group${i % GROUPS}x${random.below(20)}`));
  const links = `<a href="${HUB}">hub of the family</a> <a href="${variantUrl(i + 1)}">the next</a>`;
  const card = `<meta property="og:description" content="variant ${i} of a family">`;
  return {
    url,
    html: `<html lang="en"><title>Variant ${i % 50}</title>${card}<p>${words.join(' ')} ${group.join(' ')} ${links}</p></html>`,
  };
}

/** Builds it at `target`, of `count` variants. */
export async function buildFamily(target: string, count: number): Promise<void> {
  const links = Array.from({ length: count }, (_, i) => `<a href="${variantUrl(i)}">variant ${i}</a>`);
  const hub = { url: HUB, html: `<html><title>Hub</title><p>${prose(9, 200)} ${links.join(' ')}</p></html>` };
  const family = Array.from({ length: count }, (_, i) => variantPage(variantUrl(i), i, 0));
  await buildFixture(target, [hub, ...family], {
    neighborLimit: defaultShape().neighborLimit,
    memoryBytes: 512 * 2 ** 20,
    workerCount: 2,
  });
  for (const sweep of [1, 2]) {
    const gone = Array.from({ length: 20 }, (_, i) => 20 * sweep + i);
    await addSweep(target, [
      hub,
      ...gone.map((i): FixturePage => ({ url: variantUrl(i), html: '', status: 404 })),
      ...gone.map((i) => variantPage(laterUrl(i), i, sweep)),
      ...Array.from({ length: 40 }, (_, i) =>
        variantPage(variantUrl(100 * sweep + i), 100 * sweep + i, sweep),
      ),
    ]);
  }
  rmSync(`${target}.jsonl`, { force: true });
}
