/** The package as others install it: packed, installed in an empty folder, started there. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { constants, zstdCompressSync } from 'node:zlib';
import { embedPath } from '../../src/service/routes/embed.ts';
import { pageRecord } from '../sources/archive-bytes.ts';
import { GARDEN_JSONL } from './garden.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'akin-pack-'));
/** Paths in the two tarballs, without the `package/` that each begins with. */
let packed: string[] = [];
let packedForSpark: string[] = [];

// The tests run on the Node that package.json pins; the installed command finds the same one.
const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };
const command = join(folder, 'node_modules', '.bin', 'akin');

function npm(cwd: string, ...argv: string[]): string {
  const { status, stdout, stderr } = spawnSync('npm', argv, { cwd, encoding: 'utf8', env });
  assert.equal(status, 0, `npm ${argv[0]} failed:\n${stdout}${stderr}`);
  return stdout;
}

function akin(...argv: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, argv, { cwd: folder, encoding: 'utf8', env });
  assert.equal(status, 0, stderr);
  return stdout;
}

/** Packs a package; the path of its tarball. */
function pack(root: string): string {
  return join(folder, npm(root, 'pack', '--silent', '--pack-destination', folder).trim().split('\n').at(-1)!);
}

function pathsIn(tarball: string): string[] {
  const listed = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' });
  return listed
    .trim()
    .split('\n')
    .map((path) => path.replace('package/', ''));
}

before(() => {
  const tarballs = [pack(ROOT), pack(join(ROOT, 'packages/spark'))];
  [packed, packedForSpark] = tarballs.map(pathsIn) as [string[], string[]];
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  npm(folder, 'install', '--prefer-offline', '--ignore-scripts', '--omit=dev', ...quiet, ...tarballs);
});
after(() => rmSync(folder, { recursive: true }));

test('the package holds what is built, and no development tool comes along', () => {
  for (const path of [
    'dist/cli/main.js',
    'dist/explorer/assets/explorer.css',
    'migrations/0001-index.sql',
    'openapi.yaml',
    'README.md',
  ]) {
    assert.ok(packed.includes(path), path);
  }
  assert.ok(!existsSync(join(folder, 'node_modules', 'typescript')));
});

test('the package for Spark holds its job, and runs steps of a build on the installed akin', () => {
  for (const path of ['job/akin/stage.py', 'job/akin_index.py', 'job/hadoop/core-site.xml', 'dist/main.js']) {
    assert.ok(packedForSpark.includes(path), path);
  }
  assert.ok(!packedForSpark.some((path) => /__pycache__|^(src|test)\//.test(path)));
  const stage = (name: string, input: string) => {
    const run = spawnSync(join(folder, 'node_modules/.bin/akin-stage'), [name], {
      cwd: folder,
      encoding: 'utf8',
      env,
      input,
    });
    assert.equal(run.status, 0, run.stderr);
    return run.stdout;
  };
  writeFileSync(join(folder, 'steps.jsonl'), GARDEN_JSONL);
  const captures = stage('extract', `0\t${join(folder, 'steps.jsonl')}\t1\n`)
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));
  const pages = captures.filter(([kind]) => kind === 'page');
  assert.equal(pages.length, GARDEN_JSONL.trim().split('\n').length);
  // url, kind, sweep, file, position, fetched_ms, site, to, to_site
  const answers = pages.map(([kind, file, sweep, position, url, site, fetched, to, toSite]) =>
    [url, kind, sweep, file, position, fetched, site, to, toSite].join('\t'),
  );
  assert.equal(
    stage('decide', `${answers.sort().join('\n')}\n`)
      .trim()
      .split('\n').length,
    pages.length,
  );
});

test('the installed command indexes, checks, relates and serves', async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  assert.equal(akin('--version'), `akin ${version}\n`);
  writeFileSync(join(folder, 'garden.jsonl'), GARDEN_JSONL);
  akin('index', 'garden.jsonl', '--to', 'garden.akin', '--max-df', '1', '--min-df', '1', '--workers', '2');
  assert.equal(akin('check', 'garden.akin'), 'garden.akin is whole\n');
  const answer = JSON.parse(akin('related', 'garden.akin', 'https://garden.example/roses', '--json'));
  assert.equal(answer.related[0].url, 'https://orchard.example/prune');

  const server = spawn(command, ['serve', 'garden.akin', '--port', '0'], { cwd: folder, env });
  let log = '';
  for await (const chunk of server.stderr) {
    log += String(chunk);
    if (/http:\/\/[\d.]+:\d+/.test(log)) break;
  }
  const [address] = /http:\/\/[\d.]+:\d+/.exec(log) ?? assert.fail(log);
  assert.deepEqual(
    await (await fetch(`${address}/related?url=https://garden.example/roses`)).json(),
    answer,
    'the server answers as the command does',
  );
  const { path } = (await (await fetch(`${address}/embed.json`)).json()) as { path: string };
  assert.equal(path, embedPath(), 'the components are those of the sources');
  server.kill('SIGTERM');
  assert.deepEqual(await once(server, 'exit'), [0, null]);
});

/** A WARC file of zstd frames, of which the second is damaged: what Node.js makes of several frames depends on its version. */
function damagedArchive(): Buffer {
  const params = { [constants.ZSTD_c_checksumFlag]: 1 };
  const frames = [1, 2, 3].map((number) => zstdCompressSync(pageRecord(number), { params }));
  frames[1]![frames[1]!.length >> 1]! ^= 1;
  return Buffer.concat(frames);
}

test('the oldest Node.js that it takes, the newest, and this one read the same and make the same index', () => {
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const nodes = join(folder, 'nodes');
  const name = `node-${process.platform}-${process.arch}`;
  const install = (version: string) => {
    const prefix = join(nodes, version);
    npm(folder, 'install', '--no-save', '--no-audit', '--no-fund', '--prefix', prefix, `${name}@${version}`);
    return join(prefix, 'node_modules', name, 'bin', 'node');
  };
  writeFileSync(join(folder, 'garden.jsonl'), GARDEN_JSONL);
  writeFileSync(join(folder, 'damaged.warc.zst'), damagedArchive());
  const made = [process.execPath, ...[engines.node.slice(2), 'latest'].map(install)].map((node) => {
    const run = (...argv: string[]) => {
      const { status, stdout, stderr } = spawnSync(command, argv, {
        cwd: folder,
        encoding: 'utf8',
        env: { ...env, PATH: `${dirname(node)}:${env.PATH}` },
      });
      assert.equal(status, 0, stderr);
      return stdout;
    };
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    run('index', 'garden.jsonl', 'damaged.warc.zst', '--sweep', 'one', '--to', `${version}.akin`);
    const { generation } = JSON.parse(run('show', `${version}.akin`, '--json'));
    const pages = run('export', `${version}.akin`, '--what', 'pages');
    return { version, generation, pages };
  });
  assert.ok(new Set(made.map(({ version }) => version)).size > 1);
  for (const { version, generation, pages } of made) {
    assert.equal(generation, made[0]!.generation, version);
    assert.match(pages, /example\.org\/1\b/, version);
    assert.match(pages, /example\.org\/3\b/, version);
  }
});
