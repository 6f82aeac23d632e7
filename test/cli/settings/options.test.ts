import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import { loadConfig } from '../../../src/cli/settings/config.ts';
import { addKnobs, givenFlags } from '../../../src/cli/settings/options.ts';

const NAMES = ['copies', 'keepText', 'templateFilter', 'shingleSize'] as const;

function given(...flags: string[]) {
  const command = addKnobs(new Command('index'), NAMES);
  command.parse(flags, { from: 'user' });
  return givenFlags(command, NAMES);
}

test('what is on unless said otherwise is turned off by a flag without a value', () => {
  assert.deepEqual(given(), {});
  assert.deepEqual(given('--no-copies', '--shingle', '5'), { copies: 'no', shingleSize: '5' });
  const { config, origins } = loadConfig(given('--no-text'), { AKIN_TEMPLATE_FILTER: 'no' });
  assert.deepEqual([config.copies, config.keepText, config.templateFilter], ['yes', 'no', 'no']);
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
