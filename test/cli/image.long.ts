/** The image, without Docker: every step of the Dockerfile is run, then the result is used as its first lines say. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { newFolder } from '../new-folder.ts';
import { GARDEN_JSONL } from './garden.ts';
import { buildImage, type Image } from './image/build-image.ts';
import { cannotContain, firstProcess, NODE_USER, run, start } from './image/container.ts';
import { isInContext } from './image/dockerfile.ts';

const CONTEXT = fileURLToPath(new URL('../..', import.meta.url));
const QUESTION = 'related?url=https://garden.example/roses';

describe('the image', { skip: cannotContain() }, () => {
  let folder: string;
  let image: Image;
  before(async () => {
    folder = newFolder('image');
    image = await buildImage(CONTEXT, folder);
  });
  after(() => rmSync(folder, { recursive: true }));

  const akin = (...argv: string[]) => run(image.root, [...image.entrypoint, ...argv], image);

  /** A server as `docker run --read-only -v data:/data:ro` starts it, once it says where it listens. */
  async function serve(
    argv: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Promise<ChildProcess> {
    const options = { ...image, env: { ...image.env, ...env }, readOnly: true };
    const server = start(image.root, [...image.entrypoint, ...argv], options);
    let log = '';
    for await (const chunk of server.stderr!.iterator({ destroyOnReturn: false })) {
      log += String(chunk);
      if (/http:\/\/[\d.]+:\d+/.test(log)) break;
    }
    assert.match(log, /http:\/\//);
    server.stderr!.resume();
    return server;
  }

  /** Runs the health check beside the first process, as Docker does: with the environment of the container. */
  function healthOf(server: ChildProcess, env: Readonly<Record<string, string>>): number | null {
    const target = `--target=${firstProcess(server)}`;
    const user = [`--setuid=${NODE_USER}`, `--setgid=${NODE_USER}`];
    const done = spawnSync('nsenter', [target, '--mount', '--pid', '--root', ...user, ...image.healthCheck], {
      env: { PATH: '/usr/local/bin:/usr/bin', ...image.env, ...env },
      encoding: 'utf8',
    });
    assert.equal(done.stderr, '');
    return done.status;
  }

  async function stop(server: ChildProcess): Promise<void> {
    process.kill(firstProcess(server), 'SIGTERM');
    assert.deepEqual(await once(server, 'exit'), [0, null], 'SIGTERM ends the first process');
  }

  test('there is no compiler in it, and no development tool', async () => {
    for (const tool of ['cc', 'gcc', 'g++', 'make', 'python3']) {
      const { status } = await run(image.root, ['sh', '-c', `command -v ${tool}`], image);
      assert.notEqual(status, 0, tool);
    }
    assert.ok(!existsSync(join(image.root, 'app/node_modules/typescript')));
    assert.deepEqual(readdirSync(join(image.root, 'app')).sort(), [
      ...['LICENSE', 'bin', 'container-health.mjs', 'dist', 'migrations', 'node_modules', 'package.json'],
    ]);
  });

  test('its user cannot write to the application', async () => {
    const { status } = await run(image.root, ['sh', '-c', 'touch /app/dist/x /app/x'], image);
    assert.notEqual(status, 0);
  });

  test('it indexes to /data', async () => {
    writeFileSync(join(image.root, 'tmp/garden.jsonl'), GARDEN_JSONL);
    const flags = ['--to', '/data/web.akin', '--max-df', '1', '--min-df', '1'];
    const { status, output } = await akin('index', '/tmp/garden.jsonl', ...flags);
    assert.equal(status, 0, output);
  });

  test('it serves with every file read-only and another owner of the data', async () => {
    const data = join(image.root, 'data');
    chownSync(join(data, 'web.akin'), 0, 0);
    chmodSync(join(data, 'web.akin'), 0o444);
    const env = { AKIN_PORT: '31871' };
    const server = await serve(image.command, env);
    const answer = await fetch(`http://127.0.0.1:31871/${QUESTION}`);
    const { related } = (await answer.json()) as { related: readonly { url: string }[] };
    assert.equal(related[0]!.url, 'https://orchard.example/prune');
    assert.equal(healthOf(server, env), 0);
    await stop(server);
  });

  test('the health check follows port and path, from the environment or the flag, and fails where nothing answers', async () => {
    const env = { AKIN_PORT: '31873', AKIN_BASE_PATH: '/tools/' };
    for (const flags of [
      ['--port', '31872'],
      ['--port=31872', '--base-path', '/other'],
    ]) {
      const server = await serve([...image.command, ...flags], env);
      assert.equal(healthOf(server, env), 0, flags.join(' '));
      await stop(server);
    }
    const script = 'console.log("started"); setTimeout(() => {}, 300_000)';
    const sleeper = start(image.root, ['node', '-e', script, 'serve'], image);
    await once(sleeper.stdout!, 'data');
    assert.equal(healthOf(sleeper, { AKIN_PORT: '31874' }), 1);
    process.kill(firstProcess(sleeper), 'SIGKILL');
    await once(sleeper, 'exit');
  });
});

test('.dockerignore lets in what the Dockerfile copies, and no more', () => {
  const ignore = readFileSync(join(CONTEXT, '.dockerignore'), 'utf8');
  for (const path of ['src/cli/main.ts', 'bin/akin', 'scripts/container-health.mjs', 'package-lock.json']) {
    assert.ok(isInContext(path, ignore), path);
  }
  for (const path of ['.git/HEAD', 'node_modules/x', 'web.akin', 'test/cli/x.ts', 'scripts/y.mjs', '.env']) {
    assert.ok(!isInContext(path, ignore), path);
  }
});
