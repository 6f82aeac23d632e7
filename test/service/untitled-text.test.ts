/** A text without a title has none that counts: built, added to and posted alike. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { TOPIC } from '../../src/relations/topic.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { fixtureApp } from './fixture-app.ts';
import { addSweep, buildFixture, temporaryFolder } from './fixture-index.ts';
import { prose } from './sweeps-index.ts';

const folder = temporaryFolder({ after });
const path = join(folder, 'texts.akin');
const input = join(folder, 'texts.jsonl');
const texts = Array.from({ length: 12 }, (_, i) => {
  const text = `${prose(700 + i, 6)}\n${prose(800 + i, 60)}`;
  return { url: `https://texts.example/${i}`, text, ...(i % 2 === 1 && { title: prose(700 + i, 3) }) };
});
writeFileSync(input, texts.map((row) => `${JSON.stringify(row)}\n`).join(''));

test('a posted text is the page that was built from it, with a title or without, and after an addition', async () => {
  await buildFixture(path, [], {
    inputs: [{ path: input, baseUrl: null, format: 'jsonl' }],
    minPageCount: 1,
    maxPageShare: 1,
  });
  const areFound = async () => {
    const app = await fixtureApp(path);
    for (const { url, text, title } of texts.slice(0, 4)) {
      const [line] = text.split('\n');
      // The first line is no title, whoever says so.
      for (const given of title === undefined ? [{}, { title: line }] : [{ title }]) {
        const answer = await app.inject({ method: 'POST', url: '/similar', payload: { text, ...given } });
        const [first] = answer.json().related;
        assert.deepEqual([first.url, first.similarity], [url, 1]);
      }
    }
    const reader = IndexReader.open(path);
    assert.equal(reader.partPageCount(TOPIC.id, 'title'), 6);
    reader.close();
  };
  await areFound();
  await addSweep(path, [{ url: 'https://texts.example/later', html: `<p>${prose(990, 40)}` }]);
  await areFound();
});
