/**
 * A shop of 2,000 products and a feed that changes one a second, through the explorer in a real browser: each change is seen at the next
 * reload, through a fold, too. AKIN_TEST_SECONDS says for how long; default 30.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { addExplorer } from '../../src/explorer/explorer.ts';
import { buildIndex } from '../../src/indexer/build-index.ts';
import { additionTo } from '../../src/indexer/options/stored-options.ts';
import { Random } from '../../src/lib/random.ts';
import { build, DEFAULTS, input, noting, temporaryFolder } from '../indexer/build.ts';
import { fixtureApp, pathOf } from '../service/fixture-app.ts';
import { openChromium } from './chromium.ts';

const PRODUCTS = 2000;
const SECONDS = Number(process.env['AKIN_TEST_SECONDS'] ?? 30);
const SHOP = 'https://shop.example';
const random = new Random(3);
const KINDS = ['tea', 'cup', 'pot', 'tin', 'book', 'lamp', 'rug', 'chair'];
const WORDS =
  'green black white red oak clay glass steel wool linen round tall small light soft warm plain fine'.split(
    ' ',
  );

interface Product {
  readonly url: string;
  readonly title: string;
  readonly text: string;
  readonly fields: { readonly category: string; readonly price: number };
}

/** Of twenty a kind each has some words of its own; `edition` stands in its title and text. */
function product(i: number, edition = ''): Product {
  const kind = KINDS[i % KINDS.length]!;
  const own = Array.from({ length: 12 }, () => WORDS[random.below(WORDS.length)]).join(' ');
  const family = `family${String.fromCharCode(97 + (i % 26))}${String.fromCharCode(97 + (Math.floor(i / 26) % 26))}`;
  return {
    url: `${SHOP}/${kind}/${i}`,
    title: `${kind} ${i} ${edition}`.trim(),
    text: `A ${kind} of the ${family}, ${own}, for every ${kind} and ${family} ${edition}.`,
    fields: { category: kind, price: 5 + random.below(900) / 10 },
  };
}

const found = await openChromium();
const skip = typeof found === 'string' ? found : false;
const browser = typeof found === 'string' ? null : found;
after(() => browser?.close());

test('a change of a product is seen at the next reload', { skip }, async (t) => {
  const folder = temporaryFolder(t as TestContext);
  const path = join(folder, 'shop.jsonl');
  writeFileSync(path, Array.from({ length: PRODUCTS }, (_, i) => JSON.stringify(product(i))).join('\n'));
  const { target } = await build(t as TestContext, {
    inputs: [input(path)],
    search: true,
    copies: true,
    fields: { category: 'any', price: 'number' },
  });
  const live = {
    maxPending: 1000,
    maxPendingBytes: 2 ** 24,
    share: 2,
    waitMs: 1e9,
    run: async ([records]: readonly string[], sweepName: string) => {
      const { memoryBytes } = DEFAULTS;
      const addition = {
        target,
        inputs: [input(records!)],
        sweepName,
        memoryBytes,
        workerCount: 1,
        isWhole: false,
      };
      await buildIndex(additionTo(addition), noting().listener);
      return true;
    },
  };
  const app = await fixtureApp(target, { live, extend: addExplorer });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const put = async (one: Product | { readonly url: string; readonly status: 410 }): Promise<void> => {
    const address = origin + pathOf('/pages', { url: one.url });
    const isGone = 'status' in one;
    const answer = await fetch(address, {
      method: isGone ? 'DELETE' : 'PUT',
      ...(!isGone && { body: JSON.stringify(one), headers: { 'content-type': 'application/json' } }),
    });
    assert.ok(answer.ok, await answer.text());
  };
  const page = await browser!.newPage();
  const at = async (address: string) => {
    await page.goto(origin + address);
    return page.locator('main').innerText();
  };
  const explored = (url: string) => at(pathOf('/explore/page', { url }));
  let fold: Promise<Response> | null = null;
  let seen = 0;
  const endMs = Date.now() + 1000 * SECONDS;
  for (let step = 0; Date.now() < endMs; step++) {
    const nextMs = Date.now() + 1000;
    const i = random.below(PRODUCTS);
    const edition = `edition${String.fromCharCode(97 + (step % 26))}${String.fromCharCode(97 + (Math.floor(step / 26) % 26))}`;
    const changed = product(i, edition);
    // Open before the change, and again by a reload.
    await explored(changed.url);
    if (step % 10 === 9) {
      await put({ url: changed.url, status: 410 });
      await page.reload();
      const text = await page.locator('main').innerText();
      assert.match(text, /gone|not in the index|lost/i, changed.url);
      assert.ok(
        !(
          await at(pathOf('/explore/search', { q: `${changed.title.split(' ').slice(0, 2).join(' ')}` }))
        ).includes(changed.url),
      );
      await put(changed);
    } else {
      await put(changed);
    }
    await page.goto(origin + pathOf('/explore/page', { url: changed.url }));
    await page.reload();
    assert.ok((await page.locator('main').innerText()).includes(edition), `${changed.url} ${edition}`);
    // In the lists of others: of the page that stands first in its own.
    const { related } = (await (
      await fetch(origin + pathOf('/related', { url: changed.url, limit: 5 }))
    ).json()) as { related: { url: string }[] };
    const nearest = (await (
      await fetch(origin + pathOf('/related', { url: related[0]!.url, limit: 100 }))
    ).json()) as { related: { url: string; title: string }[] };
    const listed = nearest.related.find(({ url }) => url === changed.url);
    if (listed !== undefined) assert.equal(listed.title, changed.title);
    assert.ok((await at(pathOf('/explore/search', { q: edition }))).includes(changed.title), edition);
    seen++;
    if (step === Math.floor(SECONDS / 3))
      fold = fetch(`${origin}/pages/fold`, { method: 'POST', headers: { prefer: 'wait=60' } });
    await delay(Math.max(0, nextMs - Date.now()));
  }
  assert.ok(seen > SECONDS / 4, `${seen} changes in ${SECONDS} s`);
  const ended = (await (await fold!).json()) as { state: string };
  assert.equal(ended.state, 'done', 'the index was made anew meanwhile');
  t.diagnostic(`${seen} changes were seen`);
});
