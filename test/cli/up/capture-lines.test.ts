/** What a source says of a page beside its body is in its line: a build of the line and one of the source are the same. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { captureLines } from '../../../src/cli/up/capture-lines.ts';
import type { BuildInput } from '../../../src/indexer/options/build-options.ts';
import { openSource } from '../../../src/sources/open-source.ts';
import { build, input, temporaryFolder } from '../../indexer/build.ts';
import { httpResponse, warcRecord } from '../../sources/archive-bytes.ts';

test('headers and the URL of a file are handed over with the page', async (t) => {
  const folder = temporaryFolder(t);
  const archive = join(folder, 'a.warc');
  const site = join(folder, 'site');
  const at = { 'WARC-Date': '2026-01-01T00:00:00Z' };
  const html = (title: string) =>
    `<title>${title}</title><p>rose hedge <a href="https://head.example/linked">on</a>`;
  const records = [
    warcRecord(
      'response',
      'https://head.example/a',
      httpResponse(html('A'), { Link: '</b>; rel="canonical"' }),
      at,
    ),
    warcRecord('response', 'https://head.example/b', httpResponse(html('B')), at),
    warcRecord(
      'response',
      'https://head.example/c',
      httpResponse('<title>C</title><p><a href="/d">d</a> rose', {
        'X-Robots-Tag': 'other: none, akin: nofollow',
      }),
      at,
    ),
  ];
  const untyped = httpResponse('a rose <hedge of words', { 'Content-Type': '' });
  records.push(warcRecord('response', 'https://head.example/untyped', untyped, at));
  writeFileSync(archive, Buffer.concat(records));
  mkdirSync(join(site, 'post'), { recursive: true });
  writeFileSync(join(site, 'post', 'index.html'), html('Post'));
  writeFileSync(join(site, 'x.xhtml'), `<html><script src="a.js"/><body>${html('X')}</p></body></html>`);
  const inputs: readonly BuildInput[] = [input(archive), input(site, 'https://head.example/')];
  const direct = await build(t, { inputs, minPageCount: 1 });
  const lines: string[] = [];
  for (const { path, ...how } of inputs)
    for await (const line of captureLines(
      await openSource(path, { maxPageBytes: 2 ** 20, ...how }),
      assert.fail,
      new Set(),
    ))
      lines.push(line);
  const path = join(folder, 'lines.jsonl');
  writeFileSync(path, lines.join('\n'));
  const again = await build(t, { inputs: [input(path)], minPageCount: 1 });
  const known = ({ reader }: typeof direct) =>
    [...reader.pages()].map(({ id, url, title, wordCount, inLinkCount }) => {
      return [url, title, wordCount, inLinkCount, [...reader.aliases(id)]];
    });
  assert.deepEqual(known(again), known(direct));
  assert.deepEqual(
    [...again.reader.aliases(again.reader.findPage('https://head.example/b'))],
    [{ url: 'https://head.example/a', kind: 'canonical' }],
  );
  assert.ok(again.reader.findPage('https://head.example/post/index.html') >= 0);
});

test('what is no page is named with the reason', async (t) => {
  const path = join(temporaryFolder(t), 'pages.jsonl');
  const url = (name: string) => `https://head.example/${name}`;
  const records = [
    { url: url('moved'), status: 301, location: '/new' },
    { url: url('hidden'), text: 'roses', robots: 'noindex' },
    { url: url('gone'), status: 410 },
  ];
  writeFileSync(path, records.map((record) => JSON.stringify(record)).join('\n'));
  const said: [string, boolean][] = [];
  const source = await openSource(path, { ...input(path), maxPageBytes: 2 ** 20 });
  const lines = captureLines(source, (...one) => said.push(one), new Set());
  for await (const line of lines) assert.fail(line);
  assert.deepEqual(said, [
    [`${url('moved')}: it leads to /new`, false],
    [`${url('hidden')}: it asks not to be indexed`, false],
    [`${path}:3 ${url('gone')}: HTTP status 410`, false],
  ]);
});
