import assert from 'node:assert/strict';
import { test } from 'node:test';
import { akin } from '../../../test/cli/terminal.ts';
import { run } from '../src/command.ts';
import { STAGES } from '../src/stages.ts';

const akinStage = (argv: readonly string[], given: { stdin?: string } = {}) => akin(argv, given, run);

test('akin-stage runs a step over records and tells what it did', async () => {
  const stdin = '7\tcontent\trose\n8\tnowhere\trose\n';
  const { code, stdout, stderr } = await akinStage(['feature-hash', '--records-version', '5'], { stdin });
  assert.equal(code, 0);
  assert.match(stdout, /^7\t\d+\n$/);
  const [fault, report] = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual([fault.record, fault.error], [2, 'there is no part "nowhere"']);
  assert.deepEqual(report, { stage: 'feature-hash', read: 2, written: 1, faults: 1 });
});

test('akin-stage lists the stages and describes one', async () => {
  const { stdout } = await akinStage([]);
  assert.deepEqual(
    stdout.match(/^[a-z-]+(?= +\S)/gm),
    STAGES.map(({ name }) => name),
  );
  const described = JSON.parse((await akinStage(['decide', '--describe'])).stdout);
  assert.equal(described.input.url, 'text');
  assert.equal(described.output.is_past, 'boolean');
  assert.deepEqual(Object.keys(described.versions), ['algorithm', 'format']);
  assert.deepEqual(described.oneMachine, []);
  const printed = ['--profile', 'haveliwala2000', '--copy-profile', 'broder1997'];
  assert.deepEqual(JSON.parse((await akinStage(['decide', '--describe', ...printed])).stdout).oneMachine, [
    '--profile haveliwala2000',
    '--copy-profile broder1997',
  ]);
});

test('akin-stage tells a job what a step goes by', async () => {
  const describe = async (name: string, found: object, ...options: string[]) =>
    JSON.parse((await akinStage([name, '--describe', '--found', JSON.stringify(found), ...options])).stdout);
  const { numbers } = await describe('signature', {});
  assert.deepEqual(numbers.buckets, { cap: 256, depth: 4, blockRepetitions: 4, reverse: 20 });
  assert.deepEqual(numbers.templates, { share: 0.3, minimumPages: 10 });
  // 7,700 pages: 100 times the resolution of the coarsest level, in two equal ratios.
  assert.deepEqual((await describe('topics', { pageCount: 7700 })).plan, { resolutions: [100, 10, 1] });
  const found = { partPageCounts: { content: 40, title: 3 } };
  const { plan } = await describe('feature-hash', found, '--max-df', '.3');
  assert.deepEqual(plan, { mostPages: { content: 12, title: 2 } });
});

test('akin-stage refuses what it does not have', async () => {
  const other = await akinStage(['decide', '--records-version', '1']);
  assert.equal(other.code, 2);
  assert.match(other.stderr, /--records-version is 1; this akin has 5/);
  for (const flag of ['--memory', '--workers', '--format']) {
    assert.match((await akinStage(['bag', '--describe', flag, '1'])).stderr, /unknown option/);
  }
  assert.match((await akinStage(['fly'])).stderr, /there is no stage "fly"/);
  assert.match((await akinStage(['bag', '--found', '7'])).stderr, /--found is no JSON object: 7/);
});
