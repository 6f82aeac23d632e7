import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { Command } from 'commander';
import { loadConfig } from '../../../src/cli/settings/config.ts';
import { addKnobs, givenFlags } from '../../../src/cli/settings/options.ts';
import { resourcesOf } from '../../../src/indexer/files/budget.ts';
import { settingsOf } from '../../../src/library/settings.ts';

const NAMES = ['copies', 'keepText', 'templateFilter', 'shingleSize'] as const;

function given(...flags: string[]) {
  const command = addKnobs(new Command('index'), NAMES);
  command.parse(flags, { from: 'user' });
  return givenFlags(command, NAMES);
}

test('what is on unless said otherwise is turned off by a flag without a value', () => {
  assert.deepEqual(given(), {});
  assert.deepEqual(given('--no-copies', '--set', 'shingle=5'), { copies: 'no', shingleSize: '5' });
  const { config, origins } = loadConfig(given('--no-text'), { AKIN_TEMPLATE_FILTER: 'no' });
  assert.deepEqual([config.copies, config.keepText, config.templateFilter], [true, false, false]);
  assert.deepEqual(
    [origins.copies, origins.keepText, origins.templateFilter],
    ['default', 'flag', 'environment'],
  );
});

test('what is off by default is turned on by its flag', () => {
  const command = addKnobs(new Command('serve'), ['logRequests']);
  command.parse([], { from: 'user' });
  assert.deepEqual(givenFlags(command, ['logRequests']), {});
  command.parse(['--log-requests'], { from: 'user' });
  assert.deepEqual(givenFlags(command, ['logRequests']), { logRequests: 'yes' });
});

test('--set gives any setting by its name, with the checks of its flag', () => {
  assert.deepEqual(given('--set', 'shingle=5', '--set', 'copies=no'), { shingleSize: '5', copies: 'no' });
  assert.deepEqual(given('--no-text', '--set', 'template-filter=yes'), {
    keepText: 'no',
    templateFilter: 'yes',
  });
  assert.throws(() => loadConfig(given('--set', 'shingle=0'), {}), {
    message: '--set shingle is "0"; allowed: 1 to 28 (tokens)',
  });
  const refused = (...flags: string[]) => assert.throws(() => given(...flags), { code: 'AKIN_ERR_OPTION' });
  for (const word of ['shingles=5', 'shingleSize=5', 'shingle', '=5', 'port=80']) refused('--set', word);
  refused('--set', 'shingle=5', '--set', 'shingle=6');
  refused('--no-copies', '--set', 'copies=yes');
});

test('a setting that another one leaves without effect has its default', () => {
  const { config } = loadConfig(
    {},
    { AKIN_COPY_PROFILE: 'broder1997', AKIN_TEMPLATE_FILTER: 'yes', AKIN_FILTER_BYTES: '1' },
  );
  assert.deepEqual([config.templateFilter, config.filterBytes], [false, 3]);
});

test('what the index has follows, but for what one profile had by default', () => {
  const stored = { profile: 'akin', copyProfile: 'akin', neighborLimit: 7, copySimilarity: 0.6, seed: 9 };
  const copied = (flags: Parameters<typeof loadConfig>[0]) => loadConfig(flags, {}, stored).config;
  assert.deepEqual([copied({}).copySimilarity, copied({}).neighborLimit], [0.6, 7]);
  const other = copied({ copyProfile: 'cs276' });
  assert.deepEqual([other.copySimilarity, other.templateFilter, other.neighborLimit], [0.8, false, 7]);
  assert.equal(copied({ copyProfile: 'cs276', copySimilarity: '0.7' }).copySimilarity, 0.7);
  assert.equal(copied({ copySimilarity: '0' }).copySimilarity, 0.5);
  const printed = copied({ profile: 'haveliwala2000' });
  assert.deepEqual([printed.neighborLimit, printed.seed], [100, 9]);
});

test('a build has no more threads than there are processors, from the command line and in a program', () => {
  const processorCount = availableParallelism();
  for (const [asked, expected] of [
    [0, processorCount],
    [1, 1],
    [256, processorCount],
  ] as const) {
    assert.equal(resourcesOf({ memoryBytes: 1 << 30, workerCount: asked }).workerCount, expected);
    assert.equal(settingsOf({ workerCount: asked }).workerCount, expected);
  }
});
