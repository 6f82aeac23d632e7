/** An addition is a build, whatever the tags of headings and links are made of. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../src/lib/random.ts';
import { checkIndex } from '../../src/store/check/check.ts';
import { document, prose, type TestPage } from './pages.ts';
import { add, buildSweeps, differingTables } from './sweeps.ts';

const PAGES = 60;
const PIECES = [
  '<h2>',
  '</h2>',
  '<h3>',
  '</h3>',
  '<h1>',
  '</h1>',
  '<p>',
  '<a href="/p1">',
  '</a>',
  '<b>',
  '\n',
  ' ',
];

/** Pages of words with tags of headings strewn among them, some in pairs and many not. */
function mangledPages(random: Random): TestPage[] {
  return Array.from({ length: PAGES }, (_, i) => {
    const words = prose(i + 1, 80, i).split(' ');
    const html = words.map((word) =>
      random.below(4) === 0
        ? `${PIECES[random.below(PIECES.length)]}${PIECES[random.below(PIECES.length)]}${word}`
        : word,
    );
    return { url: `https://mangled.example/p${i}`, html: document(`page ${i}`, html.join(' ')), day: 0 };
  });
}

test('the headings of mangled pages are read back as they were read', async (t) => {
  const pages = mangledPages(new Random(11));
  const overlapping = {
    url: 'https://mangled.example/overlap',
    html: document('overlap', `<h2>Alpha Beta<h2><h3>Gamma</h3><p>${prose(99, 60, 3)}`),
    day: 0,
  };
  const later = [
    { url: 'https://mangled.example/p0', html: document('p0', `<p>${prose(7, 60, 2)}`), day: 30 },
  ];
  const options = { parts: { content: 0.5, heading: 0.3, anchor: 0.2 }, minPageCount: 1 };
  const { target } = await buildSweeps(t, [[...pages, overlapping]], options);
  await add(t, target, later, options);
  const whole = await buildSweeps(t, [[...pages, overlapping], later], options);
  assert.deepEqual(differingTables(target, whole.target), []);
  assert.deepEqual(checkIndex(target).faults, []);
});
