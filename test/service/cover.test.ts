/** The fewest pages that hold a text, against a slow twin over all pages. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sketchText } from '../../src/sketch/shingle-sketch.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { type Body, fixtureApp } from './fixture-app.ts';
import { temporaryFolder } from './fixture-index.ts';
import { ESSAY_TEXT, MIRROR, OLD, OLD_TEXT, prose, writeSweepsIndex } from './sweeps-index.ts';

const indexPath = join(temporaryFolder({ after }), 'sweeps.akin');
writeSweepsIndex(indexPath);
const app = await fixtureApp(indexPath);

const part = (text: string, from: number, to: number) => text.split(' ').slice(from, to).join(' ');
const TEXT = [part(ESSAY_TEXT, 0, 250), prose(99, 100), part(OLD_TEXT, 120, 220)].join(' ');

async function cover(payload: object, query = ''): Promise<Body> {
  const { statusCode, body } = await app.inject({ method: 'POST', url: `/cover${query}`, payload });
  assert.equal(statusCode, 200, body);
  return JSON.parse(body);
}

const shingles = (text: string) =>
  new Set(sketchText(text, { shingleSize: 10, modulus: 1, minimum: Infinity } as never).keys);

/** Takes the page that adds most, of all that there are now. */
function slowCover(text: string, least: number): [url: string, added: number][] {
  const reader = IndexReader.open(indexPath);
  const pages = Array.from(reader.pages()).flatMap(({ id, url }) => {
    const version = reader.versions.current(id);
    return version < 0 ? [] : [{ url, own: shingles(reader.versions.text(version)!.text) }];
  });
  reader.close();
  const all = shingles(text);
  const left = new Set(all);
  const taken: [string, number][] = [];
  for (;;) {
    const adding = pages.map(({ url, own }) => ({ url, own, added: own.intersection(left).size }));
    const best = adding.reduce((x, y) => (y.added > x.added ? y : x));
    if (best.added === 0 || best.added < least * all.size) return taken;
    taken.push([best.url, best.added / all.size]);
    for (const key of best.own) left.delete(key);
  }
}

test('the pages that hold a text are those that a slow greedy search takes, and the rest is the remainder', async () => {
  const { pages, remainder, measure, complete } = await cover({ text: TEXT });
  assert.deepEqual(
    pages.map(({ url }: Body) => url),
    [MIRROR, OLD],
  );
  const slow = slowCover(TEXT, 0.02);
  assert.deepEqual(
    pages.map(({ url, share }: Body) => [url, share]),
    slow.map(([url, added]) => [url, Number(added.toFixed(6))]),
  );
  const held = pages.reduce((sum: number, { share }: Body) => sum + share, 0);
  assert.ok(Math.abs(held + remainder - 1) < 1e-5);
  assert.ok(remainder > 0.2 && remainder < 0.4, String(remainder));
  assert.deepEqual([measure, complete], ['exact', true]);
});

test('a bound on pages or on what they add ends it, and a page does not hold itself', async () => {
  assert.equal((await cover({ text: TEXT }, '?limit=1')).pages.length, 1);
  assert.equal((await cover({ text: TEXT }, '?min_share=0.5')).pages.length, 1);
  const own = await cover({ url: MIRROR });
  assert.ok(own.pages.length > 0 && own.pages.every(({ url }: Body) => url !== MIRROR));
  const none = await cover({ text: 'one two three' });
  assert.deepEqual([none.pages, none.remainder], [[], 1]);
});
