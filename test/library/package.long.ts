/** The library as others install it: its types in each kind of project, its modules, and what the usual checkers say. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'akin-library-'));
const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };
const CHECKERS = ['publint@0.3', '@arethetypeswrong/cli@0.18', 'esbuild@0.28', '@types/node@24'];
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline', '--ignore-scripts'];
let tarball = '';

function run(command: string, argv: readonly string[], cwd = folder): string {
  const { status, stdout, stderr } = spawnSync(command, argv, { cwd, encoding: 'utf8', env });
  assert.equal(status, 0, `${command} ${argv.join(' ')}:\n${stdout}${stderr}`);
  return stdout;
}

before(() => {
  const packed = run('npm', ['pack', '--silent', '--pack-destination', folder], ROOT);
  tarball = join(folder, packed.trim().split('\n').at(-1)!);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  run('npm', ['install', ...QUIET, tarball, ...CHECKERS]);
});
after(() => rmSync(folder, { recursive: true }));

const PROGRAM = `
import { buildIndex, InputError, openIndex, relate, type RelatedAnswer, type RelatedItem } from 'akin-web';
import { connect } from 'akin-web/client';

const lists: Map<string, RelatedItem[]> = await relate([{ url: 'https://a.example/', text: 'x' }], { limit: 3 });
const { pageCount } = await buildIndex({ inputs: ['a.warc'], to: 'a.akin', copies: false, on: { stageProgress: (done) => void done } });
await using index = await openIndex('a.akin');
const answer: RelatedAnswer = await index.related('https://a.example/', { by: 'copy', same_site: 'only', cards: true });
const title: string | undefined = answer.related[0]?.title;
const same: RelatedAnswer = await connect('http://127.0.0.1:3000').related('https://a.example/', { limit: 2 });
for await (const { url, related } of index.lists({ fetched: 'only' })) console.log(url, related.length, title, pageCount);
console.log(lists, same, new InputError('AKIN_ERR_URL', 'x').hint);
// @ts-expect-error a value that the parameter does not take
await index.related('https://a.example/', { by: 'color' });
// @ts-expect-error a setting that is none
await relate([], { colour: 1 });
`;
const PLUGIN = `
import Fastify from 'fastify';
import { akin } from 'akin-web/fastify';

const site = Fastify();
await site.register(akin, { prefix: '/akin', index: 'a.akin', explorer: true });
`;
const CLIENT = `
import { connect, ServiceError, type Client } from 'akin-web/client';
import { connectWriter } from 'akin-web/client/write';

export const akin: Client = connect('/akin', { headers: { a: 'b' } });
export const length = (await akin.relatedBatch(['https://a.example/'], { limit: 1 })).results.length;
export const { state } = await connectWriter('/akin').putPage('https://a.example/', { text: 'a', fields: { b: 1 } });
export const isGone = (error: unknown) => error instanceof ServiceError && error.status === 404;
`;

/** Compiles a program in a project of its own, every declaration checked. */
function compile(
  name: string,
  files: Readonly<Record<string, string>>,
  options: object,
  type = 'module',
): void {
  const project = join(folder, name);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type }));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(project, file), text);
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: false,
    target: 'es2024',
    types: ['node'],
    lib: ['es2024', 'esnext.disposable', 'dom'],
    ...options,
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', project]);
}

for (const [name, options] of [
  ['nodenext', { module: 'nodenext' }],
  ['node16', { module: 'node16', moduleResolution: 'node16' }],
  ['bundler', { module: 'esnext', moduleResolution: 'bundler' }],
  ['without those of Node', { module: 'nodenext', types: [], lib: ['es2024', 'esnext', 'dom'] }],
] as const) {
  test(`types are sound in a strict project of modules: ${name}`, () => {
    compile(name, { 'program.ts': PROGRAM }, options);
  });
}

test('the plugin has types beside those of Fastify', () => {
  // Declarations of Fastify's own are not ours to check.
  compile('plugin', { 'plugin.ts': PLUGIN }, { module: 'nodenext', skipLibCheck: true });
});

test('the client has types without those of Node', () => {
  const options = { module: 'esnext', moduleResolution: 'bundler', types: [], lib: ['es2024', 'dom'] };
  compile('browser', { 'client.ts': CLIENT }, options);
});

test('types are sound in a project of CommonJS', () => {
  const text = PROGRAM.replace(/^import[\s\S]*?;$/m, '').replace(/^import .*client';$/m, '');
  const imports = `import { buildIndex, InputError, openIndex, relate, type RelatedAnswer, type RelatedItem } from 'akin-web';
import { connect } from 'akin-web/client';`;
  const program = `${imports}\nexport async function main(): Promise<void> {${text}}`;
  compile('commonjs', { 'program.ts': program }, { module: 'nodenext' }, 'commonjs');
});

const REQUIRING = `
const { relate } = require('akin-web');
const { connect } = require('akin-web/client');
const { akin } = require('akin-web/fastify');
const documents = ['a b c rose thorn', 'a b c rose cane', 'd e f bread rye', 'd e f bread dough'].map((text, i) => ({ url: 'https://x.example/' + i, text }));
import('akin-web').then(async (module) => {
  const lists = await relate(documents);
  console.log(module.relate === relate, typeof connect, typeof akin, lists.get('https://x.example/0')[0].url);
});`;
const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  engines: { node: string };
};
/** The oldest Node that the package is for, as npm has it for this machine. */
const OLDEST = `node-${process.platform}-${process.arch}@${engines.node.replace('>=', '')}`;

for (const node of ['this Node', OLDEST]) {
  test(`require and import give the same, and the process ends by itself: ${node}`, () => {
    writeFileSync(join(folder, 'program.cjs'), REQUIRING);
    if (node === OLDEST) run('npm', ['install', ...QUIET, OLDEST]);
    const own = join(folder, 'node_modules', OLDEST.split('@')[0]!, 'bin', 'node');
    const said = run(node === OLDEST ? own : process.execPath, ['program.cjs']);
    assert.equal(said, 'true function function https://x.example/1\n');
  });
}

const PUBLINT = `
import { readFileSync } from 'node:fs';
import { publint } from 'publint';
const tarball = new Uint8Array(readFileSync(process.argv[2])).buffer;
const { messages } = await publint({ pack: { tarball }, strict: true });
console.log(JSON.stringify(messages.map(({ code, path }) => [code, ...path])));
`;

test('the usual checkers of packages find nothing', () => {
  writeFileSync(join(folder, 'publint.mjs'), PUBLINT);
  // It knows that files of a condition of one's own need not be there, of paths, but not of patterns.
  const known = [['EXPORTS_GLOB_NO_MATCHED_FILES', 'exports', './rooms/*', 'akin-source']];
  assert.deepEqual(JSON.parse(run(process.execPath, ['publint.mjs', tarball])), known);
  // CommonJS takes it by require(esm), which is what the checker notes there.
  // The launcher is for commands of packages beside this one, which are scripts.
  const options = ['--profile', 'esm-only', '--exclude-entrypoints', 'launch'];
  run(join(folder, 'node_modules/.bin/attw'), [tarball, ...options]);
});

test('each client is 3 kB in a bundle, and a bundle of one function leaves the others out', () => {
  const bundle = (code: string, platform: string) => {
    writeFileSync(join(folder, 'entry.mjs'), code);
    const external = ['better-sqlite3', 'fastify', 'undici', 'pino', '@fastify/*'].map(
      (name) => `--external:${name}`,
    );
    const argv = [
      'entry.mjs',
      '--bundle',
      '--minify',
      '--format=esm',
      `--platform=${platform}`,
      '--outfile=out.js',
      '--metafile=meta.json',
    ];
    run(join(folder, 'node_modules/.bin/esbuild'), [...argv, ...external]);
    const { outputs } = JSON.parse(readFileSync(join(folder, 'meta.json'), 'utf8'));
    const [output] = Object.values<{ inputs: Record<string, { bytesInOutput: number }> }>(outputs);
    const inputs = Object.entries(output!.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
    return { bytes: statSync(join(folder, 'out.js')).size, inputs: inputs.map(([path]) => path) };
  };
  const client = bundle("export { connect } from 'akin-web/client';", 'browser');
  assert.ok(client.bytes <= 3000, String(client.bytes));
  const writer = bundle("export { connectWriter } from 'akin-web/client/write';", 'browser');
  assert.ok(writer.bytes <= 3000, String(writer.bytes));
  const errors = bundle("export { InputError } from 'akin-web';", 'node');
  assert.ok(errors.bytes < 3000, `${errors.bytes} of ${errors.inputs}`);
  const relate = bundle("export { relate } from 'akin-web';", 'node');
  assert.ok(!relate.inputs.some((path) => /explorer|dist\/cli/.test(path)), String(relate.inputs));
});
