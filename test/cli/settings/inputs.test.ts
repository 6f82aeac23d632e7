import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseInputs, requireTargetFolder } from '../../../src/cli/settings/inputs.ts';
import { InputError } from '../../../src/errors.ts';
import { newFolder } from '../../new-folder.ts';

const folder = newFolder('inputs');
after(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'a=b.jsonl');
const site = join(folder, 'site');
writeFileSync(file, '');
mkdirSync(site);

const throwsCode = (call: () => unknown, code: string) =>
  assert.throws(
    call,
    (error: unknown) => error instanceof InputError && error.code === code && error.hint !== '',
  );

test('a file, standard input and folders with their URLs are distinguished', () => {
  assert.deepEqual(parseInputs([file, '-', `https://example.org/d/=${site}`], null, 'jsonl'), [
    { path: file, baseUrl: null, format: null },
    { path: '-', baseUrl: null, format: 'jsonl' },
    { path: site, baseUrl: 'https://example.org/d/', format: null },
  ]);
});

test('a folder of archives needs no URL; with one it is a folder of pages', () => {
  const archives = join(folder, 'archives');
  mkdirSync(archives);
  for (const name of ['b.warc.gz', 'a.arc', 'index.cdxj', 'c.WARC']) writeFileSync(join(archives, name), '');
  assert.deepEqual(
    parseInputs([archives], null, null).map(({ path }) => path),
    ['a.arc', 'b.warc.gz', 'c.WARC'].map((name) => join(archives, name)),
  );
  const [pages] = parseInputs([archives], 'https://e.org/', null);
  assert.deepEqual([pages!.path, pages!.baseUrl], [archives, 'https://e.org/']);
});

test('a URL of its own beats the one for all folders, and files take none', () => {
  const inputs = parseInputs([site, `https://own.example/=${site}`, file], 'https://all.example/', null);
  assert.deepEqual(
    inputs.map(({ baseUrl }) => baseUrl),
    ['https://all.example/', 'https://own.example/', null],
  );
});

test('how folders are read is said of folders alone', () => {
  const [read] = parseInputs([site], 'https://e.org/', null, { cleanUrls: true, followLinks: true });
  assert.deepEqual([read!.cleanUrls, read!.followLinks], [true, true]);
  for (const how of [{ cleanUrls: true }, { followLinks: true }])
    throwsCode(() => parseInputs([file], null, null, how), 'AKIN_ERR_OPTION');
});

test('a mirror with a folder for each host has a base without a host', () => {
  assert.equal(parseInputs([`https://=${site}`], null, null)[0]?.baseUrl, 'https://');
});

test('what cannot be an input is refused with a hint', () => {
  throwsCode(() => parseInputs([join(folder, 'nowhere')], null, null), 'AKIN_ERR_INPUT_MISSING');
  throwsCode(() => parseInputs(['https://example.org/'], null, null), 'AKIN_ERR_INPUT_MISSING');
  assert.throws(
    () => parseInputs(['https://example.org/'], null, null),
    (error: InputError) => /akin up https:\/\/example\.org\/ .* akin crawl/.test(error.hint!),
  );
  throwsCode(() => parseInputs([site], null, null), 'AKIN_ERR_OPTION');
  throwsCode(() => parseInputs([`https://example.org/=${file}`], null, null), 'AKIN_ERR_OPTION');
  throwsCode(() => parseInputs(['-', '-'], null, null), 'AKIN_ERR_OPTION');
  throwsCode(() => parseInputs([file], 'https://example.org/', null), 'AKIN_ERR_OPTION');
  throwsCode(() => parseInputs([site], 'ftp://example.org/', null), 'AKIN_ERR_URL');
  throwsCode(() => parseInputs([site], 'example.org', null), 'AKIN_ERR_URL');
});

test('a target that cannot be written is found before the work', () => {
  throwsCode(
    () => requireTargetFolder(join(folder, 'no', 'x.akin'), '--to web.akin'),
    'AKIN_ERR_INPUT_MISSING',
  );
  for (const target of [site, '', '-'])
    throwsCode(() => requireTargetFolder(target, '--to web.akin'), 'AKIN_ERR_OPTION');
  requireTargetFolder(join(folder, 'x.akin'), '--to web.akin');
});
