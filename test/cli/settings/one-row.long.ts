/** An option of a build is one row: with one row more in a copy of the sources, every door and store has it. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { GARDEN_JSONL } from '../garden.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'akin-one-row-'));
after(() => rmSync(folder, { recursive: true }));

test('a new row is a flag, a variable, a setting, a parameter of the index, and an option of a stage', async () => {
  for (const part of ['src', 'migrations', 'package.json', 'packages/spark/src', 'test/cli/terminal.ts']) {
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'packages/node_modules'));
  symlinkSync(folder, join(folder, 'packages/node_modules/akin-web'));
  const rows = join(folder, 'src/indexer/options/reading-rows.ts');
  const text = readFileSync(rows, 'utf8');
  const before = '  keepTitles: toggle({';
  assert.ok(text.includes(before));
  const row = "  keepMoons: toggle({ default: false, doc: 'keep the moons' }),\n";
  writeFileSync(rows, text.replace(before, `${row}${before}`));
  const { akin }: typeof import('../terminal.ts') = await import(
    pathToFileURL(join(folder, 'test/cli/terminal.ts')).href
  );

  const stage: typeof import('../../../packages/spark/src/command.ts') = await import(
    pathToFileURL(join(folder, 'packages/spark/src/command.ts')).href
  );

  const settingsOf = async (argv: readonly string[], env: Record<string, string>) => {
    const { stdout } = await akin(['config', '--json', ...argv], { env });
    const { flag, value, origin } = JSON.parse(stdout).find(
      ({ name }: { name: string }) => name === 'keepMoons',
    );
    return [flag, value, origin];
  };
  assert.deepEqual(await settingsOf([], {}), ['--keep-moons', 'no', 'default']);
  assert.deepEqual(await settingsOf(['--keep-moons'], {}), ['--keep-moons', 'yes', 'flag']);
  assert.deepEqual(await settingsOf(['--set', 'keep-moons=yes'], {}), ['--keep-moons', 'yes', 'flag']);
  assert.deepEqual(await settingsOf([], { AKIN_KEEP_MOONS: 'yes' }), ['--keep-moons', 'yes', 'environment']);
  assert.match((await akin(['index', '--help'])).stdout, /--keep-moons +keep the moons/);

  const described = await akin(['bag', '--describe', '--keep-moons'], {}, stage.run);
  assert.equal(JSON.parse(described.stdout).options.keepMoons, true);

  const pages = join(folder, 'pages.jsonl');
  const target = join(folder, 'moons.akin');
  writeFileSync(pages, GARDEN_JSONL);
  const stored = async () =>
    JSON.parse((await akin(['show', target, '--json'])).stdout).parameters.keep_moons;
  const built = await akin(['index', pages, '--to', target, '--workers', '1', '--keep-moons']);
  assert.equal(built.code, 0, built.stderr);
  assert.equal(await stored(), true);
  const added = await akin(['add', pages, '--to', target, '--workers', '1']);
  assert.equal(added.code, 0, added.stderr);
  assert.equal(await stored(), true);
});
