/** Links to archived captures: their template, and where they stand in answers. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { addExplorer } from '../../src/explorer/explorer.ts';
import { replayLink, replayTemplate } from '../../src/service/http/replay-link.ts';
import { asker, fixtureApp } from './fixture-app.ts';
import { temporaryFolder } from './fixture-index.ts';
import { ESSAY, NEW, OLD, UNDATED, writeSweepsIndex } from './sweeps-index.ts';

const WAYBACK = 'https://web.archive.org/web/{timestamp}/{url}';
const PYWB = 'http://127.0.0.1:8080/site/{timestamp}/{url}';
const path = join(temporaryFolder({ after }), 'sweeps.akin');
writeSweepsIndex(path);

test('a template is filled in', () => {
  const page = 'https://example.org/a%20b?c=d&e=%7Bf%7D';
  const time = '2026-01-02T03:04:05.678Z';
  assert.equal(replayLink(WAYBACK)(page, time), `https://web.archive.org/web/20260102030405/${page}`);
  assert.equal(replayLink(WAYBACK)(page, null), null);
  const asked = replayLink('https://archive.example/?at={timestamp}&url={url}')(page, time)!;
  assert.equal(new URL(asked).searchParams.get('url'), page);
  assert.equal(new URL(asked).searchParams.get('at'), '20260102030405');
  assert.equal(replayLink('https://archive.example/{url}')(page, null), `https://archive.example/${page}`);
});

test('what would lead anywhere else is no template', () => {
  const refused = [
    'javascript:alert(1)//{url}',
    'data:text/html,{url}',
    '{url}',
    'https://{url}/',
    'https://{timestamp}.example/{url}',
    'https://archive.example{url}',
    'https://archive.example:{timestamp}/{url}',
    'https://user:password@archive.example/{url}',
    'https://archive.example/{timestamp}/',
    'https://archive.example/{url}/{host}',
    'https://archive.example/{{url}}',
    'https://archive.example/"><script>{url}',
    'https://archive.example/ {url}',
    'https://arch ive.example/{url}',
    'https://[::/{url}',
    '//archive.example/{url}',
    '/archive/{url}',
    'ftp://archive.example/{url}',
    'https://archive.example/\n{url}',
  ];
  for (const text of refused) {
    assert.equal(replayTemplate(text), undefined, text);
    assert.throws(() => replayLink(text), { code: 'AKIN_ERR_OPTION' }, text);
  }
  for (const text of ['', WAYBACK, PYWB, 'https://[::1]:8080/{url}#{timestamp}']) {
    assert.equal(replayTemplate(text), text);
  }
});

test('each capture in an answer has its link, and none without a template', async () => {
  const app = await fixtureApp(path, { replayUrl: PYWB, extend: addExplorer });
  const [ask, askPlain] = [asker(app), asker(await fixtureApp(path))];
  const at = (time: string, url: string) => `http://127.0.0.1:8080/site/${time}/${url}`;
  const { body: page } = await ask('/page', { url: ESSAY });
  const { body: history, headers } = await ask('/history', { url: ESSAY });
  const links = ['20260101000000', '20260401000000', '20260701000000'].map((time) => at(time, ESSAY));
  for (const captures of [page.sweeps, history.captures]) {
    assert.deepEqual(
      captures.map(({ replay_url: link }: { replay_url: string }) => link),
      links,
    );
  }
  assert.equal(history.last_seen.replay_url, links[2]);
  const { body: moved } = await ask('/moved', { url: OLD });
  assert.equal(moved.lost.replay_url, at('20260101000000', OLD));
  assert.equal(moved.candidates[0].last_seen.replay_url, at('20260701000000', NEW));
  const { body: lost } = await ask('/lost');
  const old = lost.pages.find(({ url }: { url: string }) => url === OLD);
  assert.equal(old.last_seen.replay_url, moved.lost.replay_url);
  assert.equal(old.candidate.last_seen.replay_url, moved.candidates[0].last_seen.replay_url);
  const { body: undated } = await ask('/history', { url: UNDATED });
  assert.equal(undated.captures[0].replay_url, null);

  const plain = await askPlain('/history', { url: ESSAY });
  assert.doesNotMatch(plain.text, /replay_url/);
  assert.notEqual(plain.headers['etag'], headers['etag'], 'the answer depends on the template');
  const foreign = asker(await fixtureApp(path, { replayUrl: 'https://архив.example/{timestamp}/{url}' }));
  const { status, body: seen } = await foreign('/page', { url: ESSAY });
  assert.deepEqual(
    [status, seen.sweeps[0].replay_url],
    [200, `https://архив.example/20260101000000/${ESSAY}`],
    'letters that no header can have',
  );
  const { text } = await ask('/explore/page', { url: ESSAY });
  for (const link of links) assert.ok(text.includes(`href="${link}"`), link);
  assert.ok((await ask('/explore/moved', { url: OLD })).text.includes(`href="${moved.lost.replay_url}"`));
});
