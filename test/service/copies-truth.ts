/** What lists of copies say against the exact sets of shingles of the texts, made here by other means. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Random } from '../../src/lib/random.ts';
import { asker, type Body, fixtureApp } from './fixture-app.ts';
import { buildFixture, type FixturePage, temporaryFolder } from './fixture-index.ts';

const random = new Random(41);
/** Words of their own: two such texts share no ten in a row. */
export const words = (count: number) => Array.from({ length: count }, () => `w${random.below(50_000)}`);
export const html = (title: string, text: readonly string[]) =>
  `<html lang="en"><title>${title}</title><p>${text.join(' ')}</p></html>`;

/** The shingles of a text, ten words each. */
function shinglesOf(text: readonly string[]): Set<string> {
  return new Set(text.slice(9).map((_, i) => text.slice(i, i + 10).join(' ')));
}

function figuresOf(a: readonly string[], b: readonly string[]) {
  const [left, right] = [shinglesOf(a), shinglesOf(b)];
  const shared = left.intersection(right).size;
  return {
    resemblance: shared / (left.size + right.size - shared),
    aInB: shared / left.size,
    bInA: shared / right.size,
  };
}

const near = (found: number, expected: number) => Math.abs(found - expected) < 1e-6;

interface Corpus {
  readonly ask: ReturnType<typeof asker>;
  post(path: string, body: object): Promise<Body>;
}

export async function corpus(pages: readonly FixturePage[]): Promise<Corpus> {
  const path = join(temporaryFolder({ after }), 'truth.akin');
  await buildFixture(path, [...pages], { maxPageBytes: 8 << 20 });
  const app = await fixtureApp(path);
  return {
    ask: asker(app),
    post: async (url, payload) => (await app.inject({ method: 'POST', url, payload })).json(),
  };
}

const urlsOf = (body: Body): string[] => body.related.map(({ url }: { url: string }) => url);

interface CorpusSizes {
  /** Pages with a mirror each. */
  readonly mirrors: number;
  /** Pages of one text with a few words of their own each. */
  readonly variants: number;
  /** Words of the longest page. */
  readonly longest: number;
  /** Passages that are asked for of a long page and of the longest. */
  readonly passages: number;
}

/** Declares the tests over corpora of these sizes. */
export function testCopies({
  mirrors,
  variants: variantCount,
  longest: longestWords,
  passages,
}: CorpusSizes) {
  test('a page is found by its mirror on a host without its frame, and every answer says one figure', async () => {
    const frame = words(250);
    const framed = Array.from({ length: mirrors }, () => [...frame, ...words(150)]);
    const mirrored = framed.map((text) => text.map((word, i) => (i === 320 ? 'changed' : word)));
    const home = (i: number) => `https://framed.example/${i}`;
    const mirror = (i: number) => `https://mirror-${i}.example/page`;
    const { ask, post } = await corpus([
      ...framed.map((text, i) => ({ url: home(i), html: html(`Page ${i}`, text) })),
      ...mirrored.map((text, i) => ({ url: mirror(i), html: html(`Page ${i}`, text) })),
    ]);
    for (const [i, text] of framed.entries()) {
      const truth = figuresOf(text, mirrored[i]!);
      assert.ok(truth.resemblance > 0.94);
      for (const [url, other] of [
        [home(i), mirror(i)],
        [mirror(i), home(i)],
      ] as const) {
        const { body } = await ask('/related', { url, by: 'copy' });
        assert.equal(body.related[0]?.url, other, `${url} finds its mirror`);
        const [{ similarity, measure, containment }] = body.related;
        assert.equal(measure, 'exact');
        assert.ok(near(similarity, truth.resemblance), `${similarity} is ${truth.resemblance}`);
        assert.ok(near(containment.asked_in_result, truth.aInB));
        const compared = await post('/compare', { a: { url }, b: { url: other } });
        assert.deepEqual(
          [compared.measure, compared.resemblance.value, compared.containment.a_in_b.value],
          ['exact', similarity, containment.asked_in_result],
        );
        const group = await post('/group', { results: [url, other] });
        const [, member] = group.groups[0].members;
        assert.deepEqual([member.resemblance, member.measure], [similarity, 'exact']);
        const { body: moved } = await ask('/moved', { url });
        const [first] = moved.candidates;
        assert.deepEqual([first.url, first.resemblance, first.measure], [other, similarity, 'exact']);
      }
      // Pages of the host share their frame: true, and no reason to call them copies.
      const { body } = await ask('/related', { url: home(i), by: 'copy' });
      assert.deepEqual(urlsOf(body), [mirror(i)]);
    }
  });

  for (const [where, urlOf] of [
    ['on one host', (i: number) => `https://one.example/${String(i).padStart(4, '0')}`],
    ['on hosts of their own', (i: number) => `https://host-${String(i).padStart(4, '0')}.example/`],
  ] as const) {
    test(`${variantCount} variants of one text ${where} are copies of each other, in lists and in one cluster`, async () => {
      const text = words(1200);
      const places = Array.from({ length: variantCount }, () => random.below(1160));
      const variants = places.map((at) => {
        const own = words(40);
        return text.map((word, i) => own[i - at] ?? word);
      });
      /** Ten words before the replaced ones and these themselves begin no shingle that another variant has. */
      const likeness = (i: number, j: number) => {
        const own = (at: number) =>
          new Set(Array.from({ length: 49 }, (_, k) => at - 9 + k).filter((k) => k >= 0 && k < 1191));
        const lost = own(places[i]!).union(own(places[j]!)).size;
        return (1191 - lost) / (1191 + lost);
      };
      const { ask } = await corpus([
        ...variants.map((variant, i) => ({ url: urlOf(i), html: html('Variant', variant) })),
        { url: 'https://other.example/', html: html('Other', words(300)) },
      ]);
      for (const i of [0, variantCount - 1]) {
        const seen: string[] = [];
        for (let cursor: string | null = ''; cursor !== null; ) {
          const query = { url: urlOf(i), by: 'copy', limit: 100, ...(cursor && { cursor }) };
          const { body } = await ask('/related', query);
          assert.deepEqual([body.complete, body.left_out], [true, 0]);
          if (cursor === '') {
            const other = Number(/\d{4}/.exec(body.related[0].url)![0]);
            const truth = figuresOf(variants[i]!, variants[other]!).resemblance;
            assert.ok(near(body.related[0].similarity, truth));
            assert.ok(near(truth, likeness(i, other)));
            const best = Math.max(...places.map((_, j) => (j === i ? 0 : likeness(i, j))));
            assert.ok(truth > best - 0.03, `the first is among the nearest: ${truth} of ${best}`);
          }
          seen.push(...urlsOf(body));
          cursor = body.next;
        }
        assert.equal(new Set(seen).size, seen.length, 'no page twice');
        assert.equal(seen.length, variantCount - 1);
        const { body } = await ask('/cluster', { url: urlOf(i), by: 'copy' });
        assert.equal(body.cluster.size, variantCount);
      }
      const holders: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const query = { url: urlOf(7), by: 'copy', limit: 100, ...(cursor && { cursor }) };
        const { body } = await ask('/cluster', query);
        holders.push(...body.members.map(({ url }: { url: string }) => url));
        cursor = body.next;
      }
      assert.deepEqual(holders.sort(), variants.map((_, i) => urlOf(i)).sort());
    });
  }

  test('a short passage of a long page is found, posted or as a page, and says so in both directions', async () => {
    const long = Array.from({ length: 3 }, () => words(20_000));
    const longest = words(longestWords);
    const bookOf = (i: number) => `https://books.example/${i}`;
    const LONGEST = 'https://books.example/longest';
    const excerpt = long[0]!.slice(7000, 7400);
    const EXCERPT = 'https://quotes.example/excerpt';
    const { ask, post } = await corpus([
      ...long.map((text, i) => ({ url: bookOf(i), html: html(`Book ${i}`, text) })),
      { url: LONGEST, html: html('Longest', longest) },
      { url: EXCERPT, html: html('Excerpt', excerpt) },
      ...Array.from({ length: 12 }, (_, i) => ({
        url: `https://other.example/${i}`,
        html: html('Other', words(500)),
      })),
    ]);
    for (const [text, size, url] of [
      [long[1]!, 400, bookOf(1)],
      [longest, 2000, LONGEST],
    ] as const) {
      let found = 0;
      for (let run = 0; run < passages; run++) {
        const at = random.below(text.length - size);
        const passage = text.slice(at, at + size).join(' ');
        const body = await post('/similar?by=copy', { text: passage });
        assert.equal(body.complete, true);
        if (urlsOf(body).includes(url)) found++;
        if (run > 2) continue;
        const all = await post('/similar?by=copy&exact=true', { text: passage });
        assert.ok(urlsOf(all).includes(url), 'compared with every page');
      }
      assert.ok(found >= passages - 1, `${found} of ${passages} passages of ${size} words`);
    }
    const { body: ofExcerpt } = await ask('/related', { url: EXCERPT, by: 'copy' });
    const { body: ofBook } = await ask('/related', { url: bookOf(0), by: 'copy' });
    assert.deepEqual([urlsOf(ofExcerpt), urlsOf(ofBook)], [[bookOf(0)], [EXCERPT]]);
    assert.equal(ofExcerpt.related[0].containment.asked_in_result, 1);
    assert.equal(ofBook.related[0].containment.result_in_asked, 1);
    assert.ok(near(ofBook.related[0].similarity, figuresOf(excerpt, long[0]!).resemblance));
  });
}
