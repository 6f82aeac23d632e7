import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openIndex } from '../../src/library/index-questions.ts';
import { longTest } from '../long-test.ts';
import { newFolder } from '../new-folder.ts';
import { GARDEN_JSONL } from './garden.ts';
import { akin } from './terminal.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/akin', import.meta.url));
const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const folder = newFolder('process');
const index = join(folder, 'garden.akin');

before(async () => {
  const source = join(folder, 'garden.jsonl');
  writeFileSync(source, GARDEN_JSONL);
  const argv = ['index', source, '--to', index, '--max-df', '1', '--min-df', '1', '--workers', '1'];
  const { code, stderr } = await akin(argv);
  assert.equal(code, 0, stderr);
});
after(() => rmSync(folder, { recursive: true }));

/** Resolves with what a stream of the process has said once it says `pattern`. */
async function said(child: ChildProcess, pattern: RegExp, from: 'stdout' | 'stderr' = 'stderr') {
  let text = '';
  for await (const chunk of child[from]!) {
    text += String(chunk);
    if (pattern.test(text)) return text;
  }
  throw new Error(`ended without saying ${pattern}: ${text}`);
}

test('the launcher works through a symlink, from any folder, and hands on the exit code', () => {
  const link = join(folder, 'akin');
  symlinkSync(LAUNCHER, link);
  const { status, stderr } = spawnSync(link, ['show', 'nowhere.akin'], { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 3, stderr);
  assert.match(stderr, /^akin: cannot read the index nowhere\.akin\n/);
});

test('serve says where its pages are under a path, takes rules from a file, logs lines of JSON alone, and SIGTERM to the launcher ends it with 0; rules put in their place outlive it', async (t) => {
  const [roses, bread, oven] = ['garden.example/roses', 'kitchen.example/bread', 'kitchen.example/oven'].map(
    (one) => `https://${one}`,
  ) as [string, string, string];
  const rules = join(folder, 'rules.json');
  writeFileSync(rules, JSON.stringify({ rules: [{ url: roses, pin: [bread] }] }));
  const argv = ['serve', index, '--port', '0', '--base-path', '/akin', '--writable', '--rules', rules];
  const child = spawn(LAUNCHER, [...argv, '--log-requests']);
  t.after(() => child.kill('SIGTERM'));
  let log = '';
  child.stderr.on('data', (chunk) => (log += String(chunk)));
  const line = /^akin: \d+ pages at (\S+) \(open (\S+)\)$/m;
  const [, address, opened] = line.exec(await said(child, line, 'stdout'))!;
  assert.equal((await fetch(`${opened}livez`)).status, 200);
  const answer = await fetch(`${address}/related?url=${roses}`);
  assert.equal(answer.status, 200);
  const { related } = (await answer.json()) as { related: { url: string; pinned?: true }[] };
  assert.deepEqual([related[0]!.url, related[0]!.pinned], [bread, true]);
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ rules: [{ url: roses, pin: [oven] }] });
  const put = await fetch(`${address}/rules`, { method: 'PUT', headers, body });
  // What a kill would leave at this moment.
  const left = readFileSync(`${index}.rules.json`);
  assert.equal(put.status, 200);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'close'), [0, null]);
  const lines = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.slice(-6).map(({ msg }) => msg),
    ['started', 'request', 'request', 'request', 'draining', 'stopped'],
  );
  writeFileSync(`${index}.rules.json`, left);
  await using again = await openIndex(index);
  const [first] = (await again.related(roses)).related;
  assert.deepEqual([first!.url, first!.pinned], [oven, true]);
  rmSync(`${index}.rules.json`);
});

longTest('serve says that it has one shard of several, and of how many', async (t) => {
  const shards = join(folder, 'shards');
  const split = spawnSync(LAUNCHER, ['split', index, '--shards', '2', '--to', shards], { encoding: 'utf8' });
  assert.equal(split.status, 0, split.stderr);
  const files = [0, 1].map((number) => join(shards, `shard-0000${number}-of-00002.akin`));
  for (const [served, part] of [
    [[files[1]!], ', shard 1 of 2 alone,'],
    [files, ''],
    [[shards], ''],
  ] as const) {
    const child = spawn(LAUNCHER, ['serve', ...served, '--port', '0']);
    t.after(() => child.kill('SIGTERM'));
    assert.match(await said(child, /\n/, 'stdout'), new RegExp(`^akin: \\d+ pages?${part} at http`));
  }
});

longTest('a server whose output is read no more ends, whatever its log has left to say', async (t) => {
  const child = spawn(LAUNCHER, ['serve', index, '--port', '0']);
  t.after(() => child.kill('SIGKILL'));
  child.stdout.destroy();
  child.stderr.destroy();
  const [code] = await Promise.race([
    once(child, 'exit'),
    setTimeout(20_000, ['still there'], { ref: false }),
  ]);
  assert.equal(code, 0);
});

longTest('a second signal ends a server at once that drains, whatever the first one was', async (t) => {
  const child = spawn(process.execPath, [MAIN, 'serve', index, '--port', '0', '--drain-ms', '60000']);
  t.after(() => child.kill('SIGKILL'));
  await said(child, /http:\S+/, 'stdout');
  child.kill('SIGTERM');
  await said(child, /draining/, 'stderr');
  child.kill('SIGINT');
  assert.deepEqual(
    await Promise.race([once(child, 'exit'), setTimeout(20_000, ['still there'], { ref: false })]),
    [null, 'SIGINT'],
  );
});

longTest('the first SIGTERM ends a server whose log is open, but not read', async (t) => {
  const child = spawn(process.execPath, [MAIN, 'serve', index, '--port', '0', '--log-requests']);
  t.after(() => child.kill('SIGKILL'));
  const [address] = /http:\S+/.exec(await said(child, /http:\S+/, 'stdout'))!;
  // More than pipes and sockets hold.
  const long = 'x'.repeat(8000);
  for (let i = 0; i < 100; i++) await (await fetch(`${address}/livez?${long}`)).text();
  child.kill('SIGTERM');
  assert.deepEqual(
    await Promise.race([once(child, 'exit'), setTimeout(20_000, ['still there'], { ref: false })]),
    [null, 'SIGTERM'],
  );
});

longTest('SIGTERM ends akin up also while its server starts', async (t) => {
  const to = join(folder, 'up');
  mkdirSync(to);
  copyFileSync(index, join(to, 'web.akin'));
  const argv = [MAIN, 'up', 'http://127.0.0.1:9/', '--to', to, '--port', '0'];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  await new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk) => /serving; Ctrl-C/.test(String(chunk)) && resolve());
  });
  child.kill('SIGTERM');
  assert.deepEqual(
    await Promise.race([once(child, 'exit'), setTimeout(20_000, ['still there'], { ref: false })]),
    [0, null],
  );
});

test('a port in use is reported with what to do, and no index stays open', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  const { code, stderr } = await akin(['serve', index, '--port', String(port)]);
  taken.close();
  assert.equal(code, 2);
  assert.match(stderr, new RegExp(`^akin: port ${port} of 127\\.0\\.0\\.1 is used.*\\nhint: .*--port`, 'm'));
  const opened = existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd') : [];
  const paths = opened.map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  });
  assert.ok(!paths.includes(index));
});

test('Ctrl-C ends an index run with 130 and leaves no index behind', async () => {
  const target = join(folder, 'stopped.akin');
  const child = spawn(process.execPath, [MAIN, 'index', '-', '--format', 'jsonl', '--to', target]);
  // Standard input stays open: the build waits for more.
  child.stdin.write(GARDEN_JSONL);
  const ended = Promise.all([said(child, /hint: .+\n/), once(child, 'exit')]);
  // The build has begun once its work folder is there; before that Ctrl-C has nothing to keep.
  while (!existsSync(`${target}.work`)) await setTimeout(20);
  child.kill('SIGINT');
  const [text, [code]] = await ended;
  assert.equal(code, 130, text);
  assert.match(text, /stopped; completed stages are kept/);
  assert.throws(() => readFileSync(target), { code: 'ENOENT' });
});

const APART = ['--pid', '--fork', '--mount-proc', '--kill-child'];
const skip = spawnSync('unshare', [...APART, 'true']).status === 0 ? false : 'no namespaces may be made here';
test('a signal ends the first process of a container, for which the system does nothing', {
  skip,
}, async (t) => {
  const argv = [...APART, process.execPath, MAIN, 'similar', index, '-'];
  // Standard input stays open.
  const container = spawn('unshare', argv);
  t.after(() => container.kill('SIGKILL'));
  const ended = once(container, 'exit');
  const children = `/proc/${container.pid}/task/${container.pid}/children`;
  // What comes before the command listens is passed over; once it has ended there is none.
  const again = setInterval(() => spawnSync('kill', ['-TERM', readFileSync(children, 'utf8').trim()]), 200);
  container.once('exit', () => clearInterval(again));
  assert.deepEqual(await ended, [143, null]);
});

longTest('SIGTERM ends a build at once while an archive is read that means no good', async (t) => {
  const head = `HTTP/1.1 200 OK\r\n${'\r'.repeat(60_000)}x\n\r\n`;
  const fields = `WARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nContent-Length: ${head.length}\r\n`;
  const record = `WARC/1.0\r\n${fields}\r\n${head}\r\n\r\n`;
  const target = join(folder, 'terminated.akin');
  const child = spawn(process.execPath, [MAIN, 'index', '-', '--to', target]);
  t.after(() => child.kill('SIGKILL'));
  child.stdin.on('error', () => {});
  const feed = () => {
    while (child.stdin.writable && child.stdin.write(record));
  };
  child.stdin.on('drain', feed);
  feed();
  while (!existsSync(`${target}.work`)) await setTimeout(20);
  await setTimeout(300);
  const killedAt = performance.now();
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  assert.equal(code, 143);
  // Half a second on a machine with nothing else to do.
  assert.ok(performance.now() - killedAt < 5000, `${performance.now() - killedAt} ms`);
});

longTest('a reader that hangs up early is no fault', async () => {
  const child = spawn(process.execPath, [MAIN, 'config', '--json'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  const [code] = await once(child, 'exit');
  assert.deepEqual([code, stderr], [0, '']);

  // What is said beside the work is not the work.
  const target = join(folder, 'unheard.akin');
  const argv = ['index', '-', '--format', 'jsonl', '--to', target];
  const unheard = spawn(process.execPath, [MAIN, ...argv], { stdio: ['pipe', 'ignore', 'pipe'] });
  unheard.stderr.destroy();
  unheard.stdin.end(GARDEN_JSONL);
  const [ended] = await once(unheard, 'exit');
  assert.deepEqual([ended, existsSync(target)], [0, true]);
});

test('output that cannot be written is a temporary error, in one line', {
  skip: !existsSync('/dev/full'),
}, () => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [MAIN, 'config'], {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(full);
  assert.equal(status, 6, stderr);
  assert.match(stderr, /^akin: cannot write the output: ENOSPC[^\n]*\n$/);
});
