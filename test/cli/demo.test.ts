import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demoCorpus, demoKey } from '../../demo/corpus.ts';
import { buildOptions } from '../../src/cli/build/build-options.ts';
import { loadConfig } from '../../src/cli/settings/config.ts';

test('the demo is made again where its pages, its options, a profile, the algorithm or the format are others', () => {
  const corpus = demoCorpus();
  const optionsWith = (env: Record<string, string>) =>
    buildOptions(
      [`${corpus.inputs[0]!.baseUrl}=${corpus.inputs[0]!.path}`],
      { to: 'demo.akin' },
      loadConfig({}, env).config,
    );
  const options = optionsWith({});
  const made = [1, 1, { akin: { total: 1200 } }];
  const name = demoKey(corpus, options, made);
  assert.match(name, /^[0-9a-f]{12}$/);
  const elsewhere = { ...optionsWith({ AKIN_WORKERS: '7', AKIN_MEMORY: '128M' }), target: 'other.akin' };
  assert.equal(demoKey(corpus, elsewhere, made), name);
  const others = [
    demoKey({ ...corpus, digest: 'other packages' }, options, made),
    demoKey({ ...corpus, earlier: corpus.earlier.slice(1) }, options, made),
    demoKey(corpus, optionsWith({ AKIN_PARTS: 'content' }), made),
    demoKey(corpus, options, [2, 1, { akin: { total: 1200 } }]),
    demoKey(corpus, options, [1, 2, { akin: { total: 1200 } }]),
    demoKey(corpus, options, [1, 1, { akin: { total: 800 } }]),
    demoKey(corpus, options),
  ];
  assert.equal(new Set([name, ...others]).size, 8);
});
