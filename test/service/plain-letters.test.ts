/** A search finds words by the plain letters that people type for those that their keyboard lacks. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { splitIndex } from '../../src/indexer/shards/split-index.ts';
import { checkIndex } from '../../src/store/check/check.ts';
import { noting } from '../indexer/build.ts';
import { asker, fixtureApp, fixtureIndex, pathOf } from './fixture-app.ts';
import { buildFixture, fixturePages, temporaryFolder } from './fixture-index.ts';

/** By hand: a language, a sentence in it, and what is typed with what is to be marked for it. */
const SENTENCES: readonly [lang: string, text: string, ...(readonly [typed: string, marked: string])[]][] = [
  [
    'de',
    'Die Straße ist naß, und der GRÜẞENDE heißt Weiß.',
    ['strasse ', 'Straße'],
    ['STRASSE ', 'Straße'],
    ['straß', 'Straße'],
    ['stras', 'Straße'],
    ['grussende ', 'GRÜẞENDE'],
    ['"heisst weiss"', 'heißt Weiß'],
    // With a slip.
    ['grssende ', 'GRÜẞENDE'],
  ],
  [
    'fr',
    'Son chef-d’œuvre bat au CŒUR, ex æquo.',
    ['oeuvre ', 'œuvre'],
    ['œuvre ', 'œuvre'],
    ['coeur ', 'CŒUR'],
    ['"ex aequo"', 'ex æquo'],
  ],
  [
    'da',
    'Smørrebrød i København, på Ærø og i Århus; også Ǿ.',
    ['smorrebrod ', 'Smørrebrød'],
    ['kobenhavn ', 'København'],
    ['kobenh', 'København'],
    ['aero ', 'Ærø'],
    ['"pa aero og"', 'på Ærø og'],
  ],
  [
    'nb',
    'Tromsø ligger ved Målselv. Đavvi, guovssahas, Ŋárga ja Ŧuvla.',
    ['tromso ', 'Tromsø'],
    ['narga ', 'Ŋárga'],
  ],
  [
    'pl',
    'Łódź i Wałbrzych, żółw w ŁÓDZI.',
    ['lodz ', 'Łódź'],
    ['walbrzych ', 'Wałbrzych'],
    ['zolw ', 'żółw'],
  ],
  [
    'hr',
    'Đorđević živi u Đurđevcu.',
    ['dordevic ', 'Đorđević'],
    ['đorđević ', 'Đorđević'],
    ['dur', 'Đurđevcu'],
  ],
  ['vi', 'Đà Nẵng là một đô thị của Việt Nam.', ['"da nang"', 'Đà Nẵng'], ['"do thi"', 'đô thị']],
  [
    'tr',
    'Işık ILIK ve İstanbul, ırmak kıyısı.',
    ['isik ', 'Işık'],
    ['ilik ', 'ILIK'],
    ['ılık ', 'ILIK'],
    ['istanbul ', 'İstanbul'],
    ['ISTANBUL ', 'İstanbul'],
    ['irm', 'ırmak'],
  ],
  [
    'is',
    'Þórður fór í Hafnarfjörð, GUÐRÚN líka.',
    ['thordur ', 'Þórður'],
    ['hafnarfjord ', 'Hafnarfjörð'],
    ['gudrun ', 'GUÐRÚN'],
  ],
  ['mt', 'Ħal Qormi, il-ħobż.', ['"hal qormi"', 'Ħal Qormi'], ['hobz ', 'ħobż']],
  ['ha', 'Ɗan ƙasa ya ɓoye ƴaƴa.', ['"dan kasa"', 'Ɗan ƙasa'], ['boye ', 'ɓoye'], ['yaya ', 'ƴaƴa']],
  ['uk', 'Ґрунт і ґанок.', ['грунт ', 'Ґрунт'], ['ганок ', 'ґанок']],
  // Typed on a keyboard for Arabic.
  ['fa', 'کتاب فارسی است', ['كتاب ', 'کتاب'], ['فارسي ', 'فارسی']],
  ['ar', 'مدرسة على الجبل', ['مدرسه ', 'مدرسة'], ['علي ', 'على']],
];
const pages = SENTENCES.map(([lang, text], i) => ({
  url: `https://letters.example/${lang}`,
  html: `<html lang="${lang}"><title>${i % 2 === 0 ? text.split(' ')[0] : lang}</title><p>${text}</p></html>`,
}));

async function assertFound(ask: ReturnType<typeof asker>): Promise<void> {
  for (const [lang, , ...typed] of SENTENCES) {
    for (const [q, marked] of typed) {
      const { body } = await ask('/search', { q, site: 'letters.example' });
      const [first] = body.results;
      assert.equal(first?.url, `https://letters.example/${lang}`, q);
      const { text, marks } = first.snippet;
      const shown = marks.map(([start, end]: [number, number]) => text.slice(start, end));
      assert.ok(shown.includes(marked), `${q}: ${shown}`);
    }
  }
}

const folder = temporaryFolder({ after });
const target = join(folder, 'letters.akin');
await buildFixture(target, [...fixturePages(), ...pages]);

test('in an index, and in its shards', async () => {
  await assertFound(asker(await fixtureApp(target)));
  assert.deepEqual(checkIndex(target).faults, []);
  const split = {
    source: target,
    shardCount: 3,
    folder: join(folder, 'shards'),
    memoryBytes: 64 << 20,
    workerCount: 1,
  };
  const { shards } = await splitIndex(split, noting().listener);
  await assertFound(asker(await fixtureApp('', { indexPath: shards.map(({ path }) => path) })));
});

test('in pages that wait to be folded into it', async () => {
  const live = { maxPending: 99, maxPendingBytes: 2 ** 24, share: 2, waitMs: 1e9, run: async () => false };
  const app = await fixtureApp(await fixtureIndex(), { live });
  for (const { url, html } of pages) {
    await app.inject({ method: 'PUT', url: pathOf('/pages', { url }), payload: { html } });
  }
  await assertFound(asker(app));
});

test('what is suggested is found', async () => {
  const ask = asker(await fixtureApp(target));
  for (const [q, word] of [
    ['stras', 'strasse'],
    ['Straß', 'strasse'],
    ['købe', 'kobenhavn'],
    ['ŁÓD', 'lodz'],
  ] as const) {
    const { suggestions } = (await ask('/search/suggest', { q, site: 'letters.example' })).body;
    assert.deepEqual([suggestions[0]?.text, suggestions[0]?.pages], [word, 1], q);
  }
});
