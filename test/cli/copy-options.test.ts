/** What the settings of copies do, from the flag to what `akin show` says of the index. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { COPY_PAGES, ORIGINAL, REVISED } from '../indexer/copy-pages.ts';
import { toJsonl } from '../indexer/pages.ts';
import { longTest } from '../long-test.ts';
import { newFolder } from '../new-folder.ts';
import { akin } from './terminal.ts';

const folder = newFolder('copy-options');
after(() => rmSync(folder, { recursive: true }));
const pages = join(folder, 'pages.jsonl');
writeFileSync(pages, toJsonl(COPY_PAGES));
const target = join(folder, 'copies.akin');

async function shown(...argv: string[]): Promise<string> {
  const { code, stdout, stderr } = await akin(argv);
  assert.equal(code, 0, stderr);
  return stdout;
}
const index = (...flags: string[]) => akin(['index', pages, '--to', target, '--workers', '1', ...flags]);

test('clusterings are named by flag, listed by show, asked for by name and proved', async () => {
  assert.equal((await index('--copy-clusterings', '.9,0.50,0.8c', '--set', 'same-site-bits=355')).code, 0);
  const card = await shown('show', target);
  assert.match(card, /^clustering 0\.9: resemblance of 0\.9 or more, 5 pages in 2 clusters$/m);
  assert.match(card, /^clustering 0\.5: resemblance of 0\.5 or more, 6 pages in 2 clusters$/m);
  assert.match(card, /^clustering 0\.8c: containment of 0\.8 or more, \d+ pages in \d+ clusters$/m);
  assert.match(
    card,
    /^copies .*shingles; pages are alike without the templates of hosts too \(\d+ shingles, on 14 pages; by them alone 91 pairs would be\)/m,
  );
  assert.match(card, /^copies .*agree in 355 of 384 bits \(\d+ left out\)$/m);
  const narrow = await shown('cluster', target, ORIGINAL, '--by', 'copy');
  assert.match(narrow, /^cluster \w+ at 0\.9: 3 pages/m);
  const none = await shown('cluster', target, REVISED, '--by', 'copy');
  assert.match(none, /^cluster \w+ at 0\.5: 4 pages[\s\S]*\nin no cluster\n$/m);
  const wide = await shown('cluster', target, REVISED, '--by', 'copy', '--clustering', '0.5');
  assert.ok(wide.includes(`  ${ORIGINAL}\n`));
  const list = await shown('related', target, REVISED, '--by', 'copy', '--clustering', '0.5', '--json');
  assert.equal(JSON.parse(list).related.length, 3);
  await shown('check', target);
});

test('what is switched off is said to be', async () => {
  assert.equal(
    (await index('--set', 'template-filter=no', '--copy-at', '0.8', '--copy-join', 'super-shingles')).code,
    0,
  );
  const card = await shown('show', target);
  assert.match(
    card,
    /candidates share super-shingles; templates of hosts count like other text; no check of pairs/,
  );
  assert.match(card, /^clustering 0\.8: resemblance of 0\.8 or more/m);
});

test('the profile cs276 samples by permutations, and finds copies from 0.8 on', async () => {
  assert.equal((await index('--copy-profile', 'cs276')).code, 0);
  const card = await shown('show', target);
  assert.match(
    card,
    /^copies +profile cs276; 10 words a shingle, the least under each of 200 permutations;/m,
  );
  assert.match(card, /templates of hosts count like other text/);
  assert.match(card, /^clustering 0\.8: resemblance of 0\.8 or more/m);
  await shown('check', target);
  assert.equal((await index('--copy-profile', 'cs276', '--copy-at', '0.6')).code, 0);
  assert.match(await shown('show', target), /^clustering 0\.6: resemblance of 0\.6 or more/m);
});

test('the printed profile says that it ignores common shingles', async () => {
  assert.equal((await index('--copy-profile', 'broder1997')).code, 0);
  const said = /^copies .*like other text; shingles of more than 1,000 pages are ignored; no check/m;
  assert.match(await shown('show', target), said);
});

test('choices that cannot be had together are refused before anything is read', async () => {
  const refusals: [string[], RegExp][] = [
    [['--copy-clusterings', '0.4'], /copies are kept from 0\.5 on, none are there for 0\.4/],
    [
      ['--copy-join', 'super-shingles'],
      /super shingles find copies of a resemblance of 0\.8 or more, not of 0\.5/,
    ],
    [
      ['--copy-join', 'super-shingles', '--copy-at', '0.9', '--copy-clusterings', '0.9,0.8c'],
      /super shingles cannot find containment, which 0\.8c asks for/,
    ],
    [
      ['--copy-profile', 'cs276', '--copy-clusterings', '0.8c'],
      /permutations cannot find containment, which 0\.8c asks for/,
    ],
    [['--copy-profile', 'cs276', '--copy-clusterings', '0.5'], /copies are kept from 0\.8 on/],
    [['--copy-clusterings', '0.5,,0.9'], /--copy-clusterings is "0\.5,,0\.9"; allowed: up to 8 numbers/],
    [['--shingle=5'], /^akin: unknown option '--shingle=5'\nhint: akin index takes --set shingle=VALUE;/],
    [['--no-template-filter'], /^hint: akin index takes --set template-filter=VALUE;/m],
    [['--copy-clusterings', '1.5'], /--copy-clusterings is "1\.5"/],
    [
      ['--no-copies', '--copy-clusterings', '0.5,0.9'],
      /^akin: --copy-clusterings 0\.5,0\.9 has no effect with --no-copies; leave one of them out$/m,
    ],
  ];
  for (const [flags, message] of refusals) {
    const { code, stderr } = await index(...flags);
    assert.equal(code, 2, flags.join(' '));
    assert.match(stderr, message);
  }
});

longTest('an addition with another profile of copies takes its threshold and its templates', async () => {
  assert.equal((await index()).code, 0);
  const add = (...flags: string[]) => akin(['add', pages, '--to', target, '--workers', '1', ...flags]);
  const { code, stderr } = await add('--copy-profile', 'cs276');
  assert.equal(code, 0, stderr);
  const card = await shown('show', target);
  assert.match(card, /^copies +profile cs276; .*templates of hosts count like other text/m);
  assert.match(card, /^clustering 0\.8: resemblance of 0\.8 or more/m);
  assert.equal((await add('--copy-profile', 'akin', '--copy-at', '0.6')).code, 0);
  const back = await shown('show', target);
  assert.match(back, /^copies +profile akin; .*alike without the templates/m);
  assert.match(back, /^clustering 0\.6: /m);
});
