import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KNOB_NAMES, KNOBS, knobOf, loadConfig } from '../../../src/cli/settings/config.ts';
import { ConfigError } from '../../../src/errors.ts';
import { bytes } from '../../../src/indexer/options/kinds.ts';
import { describeDefault } from '../../../src/indexer/options/knob.ts';

test('a flag beats the environment, and the environment beats the default; an address may stand in brackets', () => {
  const { config, origins } = loadConfig({ port: '4000' }, { AKIN_PORT: '5000', AKIN_HOST: '::1' });
  assert.deepEqual([config.port, origins.port], [4000, 'flag']);
  assert.deepEqual([config.host, origins.host], ['::1', 'environment']);
  assert.equal(loadConfig({ host: '[::1]' }, {}).config.host, '::1');
  assert.deepEqual([config.memoryBytes, origins.memoryBytes], [2 ** 30, 'default']);
});

test('an empty variable counts as not set', () => {
  assert.equal(loadConfig({}, { AKIN_PORT: '' }).config.port, 3000);
});

test('one error names all faults, each with its flag or variable', () => {
  assert.throws(
    () => loadConfig({ memoryBytes: '63M', profile: 'best' }, { AKIN_PORT: 'http', AKIN_FLOOR: '1.5' }),
    (error: unknown) => {
      assert.ok(error instanceof ConfigError);
      assert.equal(error.code, 'AKIN_ERR_CONFIG');
      assert.deepEqual(error.message.split('\n'), [
        '--profile is "best"; allowed: akin, haveliwala2000',
        '--memory is "63M"; allowed: 64M to 1024G (bytes)',
        'AKIN_FLOOR is "1.5"; allowed: 0 to 1',
        'AKIN_PORT is "http"; allowed: 0 to 65535',
      ]);
      assert.equal(error.hint, 'correct it, or unset AKIN_FLOOR AKIN_PORT', 'akin config is refused, too');
      return true;
    },
  );
});

test('what would open a server more, or less, than it says is refused', () => {
  const refused = [
    ...[{ host: '' }, { host: ' ' }, { keyFile: '' }, { ruleFile: '' }],
    ...['', 'example.org', 'https://example.org/', 'https://Example.org', 'https://example.org:443'].map(
      (corsOrigins) => ({ corsOrigins }),
    ),
    ...['proxy.example', '10.0.0.0/33', '::/0', '127.0.0.1;::1'].map((trustProxy) => ({ trustProxy })),
  ];
  for (const flags of refused) assert.throws(() => loadConfig(flags, {}), ConfigError, JSON.stringify(flags));
  const taken = [
    ...[{ host: 'localhost' }, { host: '::' }, { keyFile: 'keys' }, { classes: '' }],
    ...['*', 'https://example.org, http://localhost:8080', 'capacitor://localhost'].map((corsOrigins) => ({
      corsOrigins,
    })),
    ...['', '*', '127.0.0.1, ::1', '10.0.0.0/8,fc00::/7', 'loopback'].map((trustProxy) => ({ trustProxy })),
  ];
  for (const flags of taken) loadConfig(flags, { AKIN_KEYS: '' });
});

test('sizes take K, M and G as powers of 1024', () => {
  const memory = (text: string) => loadConfig({ memoryBytes: text }, {}).config.memoryBytes;
  assert.equal(memory('512M'), 512 * 2 ** 20);
  assert.equal(memory('1.5g'), 1.5 * 2 ** 30);
  assert.equal(memory('65536K'), 64 * 2 ** 20);
  assert.equal(memory(String(2 ** 27)), 2 ** 27);
  for (const text of ['', '-1G', '1T', 'M', '1 G', '0x4000000', '1e9']) {
    assert.throws(() => memory(text), ConfigError, text);
  }
});

test('a flag without effect beside another setting is refused with both names', () => {
  const refusals: [Parameters<typeof loadConfig>[0], Record<string, string>, string][] = [
    [{ copies: 'no', shingleSize: '5' }, {}, '--set shingle=5 has no effect with --no-copies'],
    [{ keepText: 'no' }, { AKIN_COPIES: 'no' }, '--no-text has no effect with AKIN_COPIES=no'],
    [{ filterBytes: '1' }, {}, '--set filter-bytes=1 has no effect with --profile akin'],
    [
      { targetRecall: '1', profile: 'haveliwala2000' },
      {},
      '--recall 1 has no effect with --profile haveliwala2000',
    ],
    [{ windowWords: '3', parts: 'content' }, {}, '--set window=3 has no effect with --parts content=1'],
    [{ shardTimeoutMs: '500' }, {}, '--shard-timeout-ms 500 has no effect without --shards'],
    [
      { logRequests: 'yes' },
      { AKIN_LOG_LEVEL: 'warn' },
      '--log-requests has no effect with AKIN_LOG_LEVEL=warn',
    ],
    [{ floor: '0.3' }, {}, '--set cluster-at=0.2 has no effect with --set floor=0.3'],
    [
      { clusterSimilarity: '0.1' },
      { AKIN_FLOOR: '.2' },
      '--set cluster-at=0.1 has no effect with AKIN_FLOOR=0.2',
    ],
  ];
  for (const [flags, env, message] of refusals) {
    assert.throws(
      () => loadConfig(flags, env),
      (error: unknown) => error instanceof ConfigError && error.message.startsWith(message),
      message,
    );
  }
  // The environment speaks to many calls; not each of them has use for all it says.
  const { config } = loadConfig({ copies: 'no' }, { AKIN_COPY_CLUSTERINGS: '0.5,0.9' });
  assert.equal(config.copies, false);
  assert.equal(loadConfig({}, { AKIN_FLOOR: '0.3' }).config.floor, 0.3);
  // Lists of BM25 have no floor.
  assert.equal(loadConfig({ clusterSimilarity: '0.02', kernel: 'bm25' }, {}).config.clusterSimilarity, 0.02);
  // With every pair at hand, pages that no list holds can be joined.
  assert.equal(loadConfig({ floor: '0.3', pairSimilarity: '0.2' }, {}).config.floor, 0.3);
});

test('a number that is not a plain decimal is refused', () => {
  for (const seed of ['1.5', '-1', '1e3', '0x10', ' 7', '4294967296', 'NaN']) {
    assert.throws(() => loadConfig({ seed }, {}), ConfigError, seed);
  }
  assert.equal(loadConfig({ seed: '4294967295' }, {}).config.seed, 2 ** 32 - 1);
});

test('the profile sets the defaults that differ, and a flag still beats it', () => {
  const { config } = loadConfig({ profile: 'haveliwala2000', floor: '0.1' }, {});
  assert.equal(config.neighborLimit, 100);
  assert.deepEqual(config.parts, { anchor: 1 });
  assert.equal(config.floor, 0.1);
  assert.equal(loadConfig({}, {}).config.floor, 0.03);
});

test('flags and variables are unique, and every default is one of the allowed values', () => {
  const knobs = KNOB_NAMES.map(knobOf);
  assert.equal(new Set(knobs.map(({ word }) => word)).size, knobs.length);
  const flags = knobs.flatMap(({ flag }) => flag ?? []);
  assert.equal(new Set(flags).size, flags.length);
  assert.equal(new Set(knobs.map(({ env }) => env)).size, knobs.length);
  const written = loadConfig({}, {}).config;
  for (const name of KNOB_NAMES) {
    const knob = knobOf(name);
    assert.deepEqual(knob.parse(String(knob.written(written[name]))), written[name], name);
    assert.ok(KNOBS[name].env.startsWith('AKIN_'), name);
  }
});

test('sizes and defaults are printed as a person writes them', () => {
  const size = bytes({ ...KNOBS.memoryBytes, min: 1500, max: 2 ** 29 });
  assert.equal(size.allowed, '1500 to 512M');
  assert.equal(describeDefault(KNOBS.memoryBytes), '1G');
  assert.equal(describeDefault(KNOBS.neighborLimit), '32 (haveliwala2000: 100)');
  assert.equal(describeDefault(KNOBS.stopWords), 'not set');
});
