/** What stands beside a result: the words of the page itself, where most of those that were sought stand together. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { snippetOf } from '../../src/service/answers/passages/snippet.ts';
import { templateRanges } from '../../src/service/answers/passages/template-ranges.ts';
import { searchWords } from '../../src/text/search/search-words.ts';
import { shingleCount, shingleKeys } from '../../src/text/shingle.ts';
import { readTokens } from '../../src/text/tokens.ts';
import { asker, fixtureApp } from './fixture-app.ts';
import { buildFixture, temporaryFolder } from './fixture-index.ts';

const MENU = 'Home Roses Tulips Compost Tools Visit the glasshouse every Sunday Contact Imprint';
const OWN = Array.from({ length: 12 }, (_, i) => `p${i}q${i} r${i}s t${i}u`.repeat(3 + i));
const framed = OWN.map((own, i) => ({
  url: `https://framed.example/${i}`,
  html: `<title>Framed ${i}</title><p>${MENU} ${own} how the glasshouse ${i} is heated</p>`,
}));

test('a snippet passes over what a site repeats on its pages', async () => {
  const indexPath = join(temporaryFolder({ after }), 'framed.akin');
  await buildFixture(indexPath, framed);
  const ask = asker(await fixtureApp(indexPath));
  const snippets = async (q: string): Promise<string[]> =>
    (await ask('/search', { q, site: 'framed.example', limit: 100, group: 'none' })).body.results.map(
      ({ snippet }: { snippet: { text: string } }) => snippet.text,
    );
  const own = await snippets('glasshouse');
  assert.equal(own.length, 12);
  for (const text of own) assert.match(text, /how the glasshouse \d+ is heated/);
  for (const text of await snippets('framed'))
    assert.match(text, /^(… )?p\d/, 'no word of it is in the text');
  // More of what is sought goes before whose text it is.
  for (const text of await snippets('glasshouse sunday')) assert.match(text, /glasshouse every Sunday/);
});

test('a template is where its shingles stand', () => {
  const template = 'one two three four five six seven eight nine ten eleven';
  const keys = (text: string) => {
    const tokens = readTokens(text);
    const found = new Float64Array(shingleCount(tokens.count, 10));
    shingleKeys(tokens, 10, found);
    return found.sort();
  };
  const text = `before ${template} between ${template}`;
  assert.deepEqual(
    templateRanges(text, keys(template), 10).map(([start, end]) => text.slice(start, end)),
    [template, template],
  );
  // A word as it is written belongs to it whole; an end of a sentence, and the next word, do not.
  for (const [rest, taken] of [
    ['.4 > next', '.4'],
    ['-to-noon next', '-to-noon'],
    ['. Next', ''],
    ['.', ''],
  ] as const) {
    const ranges = templateRanges(template + rest, keys(template), 10);
    assert.deepEqual(ranges, [[0, template.length + taken.length]], rest);
  }
  assert.deepEqual(templateRanges(`${template}-${template}`, keys(template), 10), [
    [0, 2 * template.length + 1],
  ]);
  assert.deepEqual(templateRanges('short', keys('short'), 10), [[0, 5]]);
  assert.deepEqual(templateRanges('', keys('short'), 10), []);
  assert.deepEqual(templateRanges(text, new Float64Array(0), 10), []);
});

const sought = (...words: string[]) => ({ words, isPrefix: false });

test('a snippet shows where most of the words stand together', () => {
  const text = `alpha ${'filler '.repeat(100)}alpha beta gamma ${'filler '.repeat(100)}`;
  const snippet = snippetOf(text, [sought('alpha'), sought('beta', 'gamma')]);
  assert.deepEqual(
    snippet.marks.map(([start, end]) => snippet.text.slice(start, end)),
    ['alpha', 'beta gamma'],
  );
  assert.ok(snippet.text.startsWith('… ') && snippet.text.endsWith(' …') && snippet.text.length < 300);
  const begun = snippetOf("l'arbre et l'arbuste de l'art", [{ words: ['l', 'arb'], isPrefix: true }]);
  assert.deepEqual(
    begun.marks.map(([start, end]) => begun.text.slice(start, end)),
    ["l'arbre", "l'arbuste"],
  );
  // Behind what is searched for the best passage, the first as it is written.
  const late = (found: string) => `${'needlework pin '.repeat(4000)}${found} ${'filler '.repeat(9000)}`;
  for (const [found, marked, phrase] of [
    ['NEEDLE beta', 'NEEDLE beta', sought('needle', 'beta')],
    ['\u{1f339}needle-beta', 'needle-beta', sought('needle', 'beta')],
    ['needle betas', 'needle betas', { words: ['needle', 'bet'], isPrefix: true }],
    ['我喜欢搜索引擎', '搜索', sought('搜', '索')],
    // With what counts for other letters.
    ['die GROẞE Straße', 'GROẞE Straße', sought('grosse', 'strasse')],
    ['un été ex æquo', 'été ex æquo', sought('ete', 'ex', 'aequo')],
    ['un e\u0301te\u0301', 'e\u0301te\u0301', sought('ete')],
    ['w ŁÓDZI', 'ŁÓDZI', { words: ['lodz'], isPrefix: true }],
    ['λόγος', 'λόγος', sought('λογοσ')],
    ['كِتَاب', 'كِتَاب', sought('كتاب')],
    ['ﬁnd', 'ﬁnd', sought('find')],
    ['في العـــربيّة', 'العـــربيّة', sought(searchWords('العربية')[0]!.word)],
    ['新しい「ＡＰＩ２」', 'ＡＰＩ２', sought('api2')],
  ] as const) {
    const { text, marks } = snippetOf(late(found), [phrase]);
    assert.deepEqual(
      marks.map(([start, end]) => text.slice(start, end)),
      [marked],
    );
    assert.ok(text.startsWith('… ') && text.endsWith(' …') && text.length < 300 && text.isWellFormed());
  }
  assert.ok(snippetOf(late('needles'), [sought('needle')]).text.startsWith('needlework pin '));
  assert.deepEqual(snippetOf('', [sought('a')]), { text: '', marks: [] });
  assert.deepEqual(snippetOf('one two', [sought('three')]), { text: 'one two', marks: [] });
  const long = snippetOf('\u{1f339}'.repeat(500), [sought('a')]).text;
  assert.ok(long.isWellFormed() && long.length < 300);
  assert.ok(snippetOf(`x${'\u{20000}'.repeat(500)}`, [sought('a')]).text.isWellFormed());
});
