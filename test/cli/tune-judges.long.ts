import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeBySweeps } from '../../src/cli/tune/judge-by-sweeps.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { akin } from './terminal.ts';
import { createBelow, makeIndex, PAGES, randomText, TOPICS, tune, vocabulary } from './tune-web.ts';

let below = createBelow();
const text = () => randomText(below);

/** Pages of random words in one folder, and pages that list some of them, each in a folder of its own. */
function listed(name: string, listedBy: (list: number) => number) {
  const items = Array.from({ length: PAGES }, (_, i) => ({
    url: `https://items.example/${name}/${i}`,
    text: text(),
  }));
  const lists = Array.from({ length: 240 }, (_, list) => ({
    url: `https://lists.example/${name}/${list}/`,
    // No words around the links: only who lists a page tells what it is.
    html: Array.from({ length: 6 }, () => `<a href="${items[listedBy(list)]!.url}"></a>`).join(''),
  }));
  return makeIndex(name, [[...items, ...lists]], '--parts', 'content');
}

test('without labels, pages that cite judge what pages cited by others have in common', async () => {
  const telling = await tune(
    await listed('telling', (list) => (list % TOPICS) + TOPICS * below(PAGES / TOPICS)),
  );
  assert.equal(telling.judge, 'links');
  assert.ok(telling.isBetter && telling.after.heldOut > telling.before.heldOut + 0.1);
  assert.match(telling.options, /in=/);
  const chance = await tune(await listed('chance', () => below(PAGES)));
  assert.deepEqual([chance.judge, chance.isBetter, chance.options], ['links', false, null]);
});

test('a judge that the sample asks of no page does not object', async () => {
  below = createBelow();
  const items = Array.from({ length: PAGES }, (_, i) => ({
    url: `https://items.example/mute/${i}`,
    text: text(),
  }));
  // Their texts change, but lists of 100 pages hold pages that are cited, and none of these.
  const listsBy = (html: () => string) =>
    Array.from({ length: 240 }, (_, list) => ({
      url: `https://lists.example/mute/${list}/`,
      html:
        Array.from({ length: 6 }, (_, i) => {
          const item = (list % TOPICS) + TOPICS * ((7 * list + 3 * i) % (PAGES / TOPICS));
          return `<a href="${items[item]!.url}"></a>`;
        }).join('') + html(),
    }));
  const path = await makeIndex('mute', [[...items, ...listsBy(text)], listsBy(text)], '--parts', 'content');
  const reader = IndexReader.open(path);
  assert.equal(
    judgeBySweeps(
      reader,
      [...reader.pages()].map(({ id }) => id),
    ).pages.length,
    240,
  );
  reader.close();
  const report = await tune(path, '--sample', '100');
  const seconds = report.seconds.map(({ judge }: { judge: string }) => judge);
  assert.deepEqual([report.judge, seconds, report.isBetter], ['links', ['sections'], true]);
});

test('what another judge of the collection finds worse is not proposed', async () => {
  below = createBelow();
  // Titles are as the lists have it, texts as the folders: the judges contradict each other.
  const words = (topic: number) => vocabulary.slice(topic * 30, topic * 30 + 30);
  const some = (of: readonly string[], count: number) =>
    Array.from({ length: count }, () => of[below(of.length)]).join(' ');
  const items = Array.from({ length: PAGES }, (_, i) => ({
    url: `https://items.example/${i % 3}/${i}`,
    title: some(words(Math.floor(i / 3) % 3), 4),
    text: `${some(words(3 + (i % 3)), 12)} ${text().slice(0, 150)}`,
  }));
  const lists = Array.from({ length: 120 }, (_, list) => ({
    url: `https://lists.example/${list}/`,
    html: `<p>${text()}</p>${Array.from({ length: 8 }, () => {
      const item = 3 * ((list % 3) + 3 * below(Math.floor(PAGES / 9))) + below(3);
      return `<a href="${items[item]!.url}"></a>`;
    }).join('')}`,
  }));
  const path = await makeIndex('contrary', [[...items, ...lists]], '--parts', 'content=.9,title=.1');
  const report = await tune(path, '--judge', 'links');
  const [second] = report.seconds;
  assert.deepEqual([report.seconds.length, second.judge], [1, 'sections']);
  assert.ok(report.steps.length > 0 && report.gain.heldOut.mean > 0.02, JSON.stringify(report.gain));
  assert.ok(second.gain.mean < -second.gain.margin);
  assert.deepEqual([report.isBetter, report.options], [false, null]);
  const { stdout } = await akin(['tune', path, '--judge', 'links']);
  assert.match(stdout, /^The evidence is not clear\. As links judge, .*as sections judge it is worse/);
});

test('earlier texts judge: where titles last and texts are rewritten, titles gain', async () => {
  const titles = Array.from({ length: PAGES }, () => text().split(' ').slice(0, 4).join(' '));
  const state = (first: number) =>
    titles.map((title, i) => ({
      url: `https://wiki.example/${i < first ? 'old' : i}${i}`,
      title,
      text: text(),
    }));
  const moves = titles.slice(0, 20).map((_, i) => ({
    url: `https://wiki.example/old${i}`,
    status: 301,
    location: `https://wiki.example/${i}${i}`,
  }));
  const path = await makeIndex(
    'rewritten',
    [state(20), [...state(0), ...moves]],
    '--parts',
    'content=.95,title=.05',
  );
  const reader = IndexReader.open(path);
  const current = [...reader.pages()].filter(({ id }) => !reader.isGone(id)).map(({ id }) => id);
  const { texts, pages: asked } = judgeBySweeps(reader, current);
  assert.equal(asked.length, PAGES);
  const moved = reader.findPage('https://wiki.example/33');
  assert.equal(texts!.get(moved)!.title, titles[3]);
  assert.notEqual(texts!.get(moved)!.text, reader.versions.text(reader.versions.current(moved))!.text);
  reader.close();
  const report = await tune(path);
  assert.deepEqual([report.judge, report.measure], ['sweeps', 'reciprocal rank']);
  assert.ok(report.isBetter && report.after.heldOut > report.before.heldOut + 0.1);
  assert.ok(report.best.parts.title > 0.1);
});
