/**
 * A container without Docker: a folder of its own as the root of processes that see nothing else, by the kernel's own
 * means (unshare, chroot). It has Node, npm, a shell and six tools of a slim image; no compiler, no Python, no make.
 *
 * The libraries of this machine are mounted read-only. Needs Linux and root.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** The user `node` of the official image. */
export const NODE_USER = 1000;

const TOOLS = ['sh', 'env', 'mkdir', 'chown', 'cat', 'touch', 'rm'];
/** How npm reaches its registry here; nothing else of this environment goes in. */
const PASSED = ['NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY', 'https_proxy'];

interface RunOptions {
  readonly user: number;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Mounts every file of the container read-only, /data too. */
  readonly readOnly?: boolean;
}

const which = (name: string) => realpathSync(execFileSync('which', [name], { encoding: 'utf8' }).trim());
/** npm as it is outside of node_modules/.bin, where the tests put theirs first. */
const npmConfig = (key: string) =>
  execFileSync('npm', ['config', 'get', key], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();

/** Why no container can be made here; false where one can. */
export function cannotContain(): string | false {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs Linux and root';
  return spawnSync('unshare', ['-m', '-p', '-f', 'true']).status === 0
    ? false
    : 'unshare is not allowed here';
}

/** Makes the root folder of a container as `node:24-slim` has it. */
export function makeRoot(root: string): void {
  for (const path of [
    'usr/bin',
    'usr/lib',
    'usr/lib64',
    'usr/local/bin',
    'usr/local/lib',
    'etc/ssl',
    'proc',
    'dev',
    'root',
  ]) {
    mkdirSync(join(root, path), { recursive: true });
  }
  mkdirSync(join(root, 'tmp'), { mode: 0o777 });
  for (const name of ['bin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(root, name));
  for (const tool of TOOLS) copyFileSync(which(tool), join(root, 'usr/bin', tool));
  copyFileSync(realpathSync(process.execPath), join(root, 'usr/local/bin/node'));
  cpSync(dirname(dirname(which('npm'))), join(root, 'usr/local/lib/npm'), {
    recursive: true,
    dereference: true,
  });
  symlinkSync('../lib/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/tmp:/bin/sh\n');
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nnode:x:1000:\n');
  for (const file of ['resolv.conf', 'hosts', 'nsswitch.conf']) {
    writeFileSync(join(root, 'etc', file), readFileSync(`/etc/${file}`));
  }
  // A copy: the Dockerfile empties the cache.
  cpSync(join(npmConfig('cache'), '_cacache'), join(root, 'root/.npm/_cacache'), {
    recursive: true,
    force: true,
  });
}

/** Starts a process in a container; it is the first process there, as in Docker. */
export function start(root: string, argv: readonly string[], options: RunOptions): ChildProcess {
  const { user, folder, env, readOnly = false } = options;
  const mounts = [
    `mount --bind ${root} ${root}`,
    ...(readOnly ? [`mount -o remount,bind,ro ${root}`] : []),
    ...['usr/lib', 'usr/lib64', 'etc/ssl'].flatMap((path) => [
      `mount --bind /${path} ${root}/${path}`,
      `mount -o remount,bind,ro ${root}/${path}`,
    ]),
    `mount --bind /dev ${root}/dev`,
    `mount -t proc proc ${root}/proc`,
  ];
  const enter = `exec chroot --userspec=${user}:${user} ${root} /usr/bin/env -C "$0" "$@"`;
  const passed = Object.fromEntries(
    PASSED.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  );
  return spawn(
    'unshare',
    [
      '--mount',
      '--pid',
      '--fork',
      '--kill-child',
      'sh',
      '-ec',
      [...mounts, enter].join('\n'),
      folder,
      ...argv,
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: '/usr/local/bin:/usr/bin:/usr/sbin:/sbin:/bin',
        HOME: user === 0 ? '/root' : '/tmp',
        npm_config_registry: npmConfig('registry'),
        npm_config_cafile: npmConfig('cafile').replace(/^null$/, ''),
        npm_config_prefer_offline: 'true',
        ...passed,
        ...env,
      },
    },
  );
}

/** Runs a process in a container to its end. */
export async function run(root: string, argv: readonly string[], options: RunOptions) {
  const child = start(root, argv, options);
  let output = '';
  child.stdout!.on('data', (chunk) => (output += String(chunk)));
  child.stderr!.on('data', (chunk) => (output += String(chunk)));
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { status, output };
}

/** The first process of a container, as this machine numbers it. */
export function firstProcess({ pid }: ChildProcess): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]);
}
