/** A manual whose versions stand side by side: a page that moved within one of them is not where another one had it all the time. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { asker, fixtureApp } from './fixture-app.ts';
import { addSweep, buildFixture, type FixturePage, temporaryFolder } from './fixture-index.ts';
import { prose } from './sweeps-index.ts';

const HOST = 'https://docs.example';
const page = (url: string, text: string): FixturePage => ({
  url,
  html: `<title>${url}</title><p>${text}</p>`,
});
const [backup, errors, other] = [prose(1, 300), prose(2, 300), prose(3, 300)];
const edited = (text: string, count: number) => text.split(' ').slice(count).join(' ');

const target = join(temporaryFolder({ after }), 'manual.akin');
await buildFixture(
  target,
  [
    page(`${HOST}/v1/backup`, backup),
    page(`${HOST}/latest/backup`, backup),
    page(`${HOST}/v1/errors`, errors),
    page(`${HOST}/latest/errors`, errors),
    page(`${HOST}/latest/other`, other),
  ],
  { maxPageShare: 1 },
);
await addSweep(
  target,
  [
    page(`${HOST}/v1/backup`, backup),
    page(`${HOST}/v1/errors`, errors),
    page(`${HOST}/latest/other`, other),
    page(`${HOST}/latest/operate/backups`, `${edited(backup, 30)} a sentence that is new`),
    // Many of its words, and as many others.
    page(`${HOST}/latest/api`, `${edited(errors, 100)} ${prose(4, 200)}`),
    page('https://mirror.example/backup', backup),
  ],
  'whole',
);
const ask = asker(await fixtureApp(target));
const placesOf = async (path: string) => {
  const { body } = await ask('/moved', { url: `${HOST}${path}` });
  return body.candidates.map(({ url, strength }: { url: string; strength: string }) => `${strength} ${url}`);
};

test('a page moved to what came to its host since, before copies that were there and those of other hosts', async () => {
  assert.deepEqual(await placesOf('/latest/backup'), [
    `now_at ${HOST}/latest/operate/backups`,
    `now_at ${HOST}/v1/backup`,
    'now_at https://mirror.example/backup',
  ]);
});

test('what has two thirds of the text alone does not come before a copy', async () => {
  assert.deepEqual(await placesOf('/latest/errors'), [
    `now_at ${HOST}/v1/errors`,
    `now_at ${HOST}/latest/api`,
  ]);
});
