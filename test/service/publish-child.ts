/** Puts copies of two sets of shards in place by turns, until it is killed; says when it begins. */
import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { publishShards } from '../../src/store/publish-shards.ts';

const [folder, ...states] = process.argv.slice(2) as [string, string, string];
for (let turn = 0; ; turn++) {
  const state = states[turn % 2]!;
  const made = join(folder, 'made');
  rmSync(made, { recursive: true, force: true });
  mkdirSync(made);
  for (const name of readdirSync(state)) {
    copyFileSync(join(state, name), join(made, name));
    const { atime, mtime } = statSync(join(state, name));
    utimesSync(join(made, name), atime, mtime);
  }
  if (turn === 0) process.send!('begun');
  publishShards(made, folder);
}
