import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { ProgressReporter } from '../../../src/cli/terminal/progress.ts';

function recorder(isTTY: boolean) {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  const terminal = Object.assign(stream, { isTTY, columns: 100, cursorTo() {}, clearLine() {} });
  const clock = { ms: 0 };
  const reporter = (verbose: boolean) => new ProgressReporter(terminal, { verbose, now: () => clock.ms });
  return { clock, reporter, lines: () => text.split('\n').filter((line) => line !== ''), text: () => text };
}

const reading = { name: 'read', unit: 'pages', total: 1000, resumed: false };

test('away from a terminal a stage prints a line every five seconds and one at its end', () => {
  const { clock, reporter, lines } = recorder(false);
  const progress = reporter(false);
  progress.stageStarted(reading);
  for (let done = 10; done <= 1000; done += 10) {
    clock.ms += 110;
    progress.stageProgress(done, 1000);
  }
  progress.stageEnded({ name: 'read', recordCount: 1000, durationMs: 11_000, processorMs: 20_000 });
  assert.deepEqual(lines(), [
    'read: 460 of 1,000 pages, 91/s, 5.9 s left',
    'read: 920 of 1,000 pages, 91/s, 0.9 s left',
    'read: 1,000 in 11.0 s, 20.0 s of processors',
  ]);
});

test('without a total there is a rate but no time left', () => {
  const { clock, reporter, lines } = recorder(false);
  const progress = reporter(false);
  progress.stageStarted({ ...reading, unit: 'bytes', total: null });
  clock.ms = 6000;
  progress.stageProgress(12_000_000, null);
  assert.deepEqual(lines(), ['read: 12.0 MB, 2.0 MB/s']);
});

test('a resumed stage says so', () => {
  const { reporter, lines } = recorder(false);
  reporter(false).stageStarted({ ...reading, resumed: true });
  assert.deepEqual(lines(), ['read: continues where the last run stopped']);
});

test('the first twenty faults of a reason are named, all of them if verbose', () => {
  const faults = (verbose: boolean) => {
    const { reporter, lines } = recorder(false);
    const progress = reporter(verbose);
    for (let i = 0; i < 30; i++) {
      progress.fault({ kind: 'fault', reason: 'status', url: null, where: `crawl.warc#${i}`, detail: '404' });
    }
    progress.fault({ kind: 'fault', reason: 'url', url: null, where: 'line 3', detail: '' });
    progress.fault({
      kind: 'fault',
      reason: 'empty',
      url: 'https://a.example/',
      where: 'line 4',
      detail: '',
    });
    return lines();
  };
  const short = faults(false);
  assert.equal(short.length, 23);
  assert.equal(short[0], 'skipped (status): crawl.warc#0: 404');
  assert.match(short[20]!, /--verbose/);
  assert.deepEqual(short.slice(21), [
    'skipped (url): line 3',
    'skipped (empty): https://a.example/ (line 4)',
  ]);
  assert.equal(faults(true).length, 32);
});

test('control characters of an input never reach the terminal', () => {
  const { reporter, text } = recorder(false);
  reporter(false).fault({
    kind: 'fault',
    reason: 'url',
    url: null,
    where: 'a\u001b[2Jb',
    detail: 'c\u202ed\n',
  });
  assert.equal(text(), 'skipped (url): a [2Jb: c d\n');
});

test('on a terminal a bar shows share, rate and time left, and is gone when the stage ends', () => {
  const { clock, reporter, text } = recorder(true);
  const progress = reporter(false);
  progress.stageStarted(reading);
  clock.ms = 2000;
  progress.stageProgress(500, 1000);
  progress.stageEnded({ name: 'read', recordCount: 1000, durationMs: 4000, processorMs: 6000 });
  assert.match(text(), /read #{12}-{12} 50% 500 of 1,000 pages, 250\/s, 2\.0 s left/);
  assert.ok(text().endsWith('read: 1,000 in 4.0 s, 6.0 s of processors\n'));
});
