import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { epochText } from '../../src/cli/terminal/epoch-text.ts';
import { GARDEN_JSONL } from './garden.ts';
import { akin } from './terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'akin-add-'));
const source = join(folder, 'garden.jsonl');
const later = join(folder, 'later.jsonl');
const index = join(folder, 'garden.akin');
const MULCH = 'https://garden.example/mulch';

before(async () => {
  writeFileSync(source, GARDEN_JSONL);
  const mulch = {
    url: MULCH,
    title: 'Mulch',
    text: 'Mulch keeps water in the soil of roses; compost is good mulch.',
  };
  writeFileSync(later, `${GARDEN_JSONL}${JSON.stringify(mulch)}\n`);
  const small = ['--max-df', '1', '--min-df', '1', '--workers', '1', '--sweep', 'spring'];
  assert.equal((await akin(['index', source, '--to', index, ...small])).code, 0);
});
after(() => rmSync(folder, { recursive: true }));

test('add tells what a sweep brought, show how far the index has come, forget what it took out', async () => {
  const added = await akin(['add', later, '--to', index, '--workers', '1', '--sweep', 'summer']);
  assert.equal(added.code, 0, added.stderr);
  assert.match(added.stdout, /7 pages after sweep summer/);
  assert.match(added.stdout, /6 pages as before, 0 changed, 1 new/);
  assert.match(added.stdout, /since then 1 sweeps, 1 pages added \(17 %\), 0 forgotten\n/);

  const shown = await akin(['show', index]);
  assert.match(
    shown.stdout,
    /epoch +words and weights are those of 6 pages; since then 1 sweeps, 1 pages added/,
  );
  assert.match(shown.stdout, /add summer: neighbours/);
  assert.match(shown.stdout, /^add summer: write .*\nall /m);
  assert.match(shown.stdout, /copies .*; counts as of sweep spring\n/);
  assert.equal((await akin(['related', index, MULCH])).code, 0);

  const forgot = await akin(['forget', index, MULCH]);
  assert.equal(forgot.code, 0, forgot.stderr);
  assert.match(forgot.stdout, /forgot 1 pages, 0 aliases and 1 texts in .*; 6 pages are left/);
  assert.equal((await akin(['related', index, MULCH])).code, 4);
  assert.equal((await akin(['check', index])).code, 0);
  const { stdout } = await akin(['show', index]);
  assert.ok(stdout.includes('copies') && !stdout.includes('counts as of'), 'forget looks at all copies');
});

test('a new build is advised where many pages came since', () => {
  const epoch = { built_pages: 1000, added_pages: 249, added_sweeps: 3, forgotten_pages: 0 };
  assert.doesNotMatch(epochText(epoch), /build again/);
  assert.match(epochText({ ...epoch, added_pages: 250 }), /\(25 %\).*build again with akin index$/);
});

test('a sweep without a name is counted on, and reports as JSON', async () => {
  const { code, stdout, stderr } = await akin(['add', source, '--to', index, '--workers', '1', '--json']);
  assert.equal(code, 0, stderr);
  assert.match(JSON.parse(stdout).sweep, /^sweep-\d$/);
});

test('settings that shape an index, names that are taken and pages that are not there are refused', async () => {
  const option = await akin(['add', source, '--to', index, '--window', '3']);
  assert.equal(option.code, 2);
  assert.match(option.stderr, /^akin: --window: fixed since akin index built the index$/m);
  const several = await akin(['add', source, '--to', index, '--no-copies', '--copy-clusterings', '0.9']);
  assert.equal(several.code, 2);
  assert.match(several.stderr, /--no-copies, --copy-clusterings: fixed .*\nhint: .*akin index INPUT/);
  const { stdout: help } = await akin(['help', 'add']);
  assert.doesNotMatch(help, /--window|--copy/);
  const name = await akin(['add', source, '--to', index, '--sweep', 'spring']);
  assert.equal(name.code, 2);
  assert.match(name.stderr, /has a sweep spring already/);
  assert.match(name.stderr, /hint: .*--sweep NAME/);
  const unknown = await akin(['forget', index, 'https://nowhere.example/']);
  assert.equal(unknown.code, 4);
  assert.match(unknown.stderr, /nowhere\.example/);
});
