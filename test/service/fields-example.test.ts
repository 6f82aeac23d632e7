/** What the documentation shows of fields is what comes of it. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { akin } from '../cli/terminal.ts';
import { temporaryFolder } from './fixture-index.ts';

test('the example of the documentation', async () => {
  const text = readFileSync(new URL('../../docs/fields.md', import.meta.url), 'utf8');
  const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].map(([, kind, block]) => ({
    kind,
    block: block!,
  }));
  const shop = temporaryFolder({ after });
  const [lines, commands, answer] = blocks;
  assert.deepEqual([lines!.kind, commands!.kind, answer!.kind], ['jsonl', 'sh', 'json']);
  writeFileSync(join(shop, 'shop.jsonl'), lines!.block);
  const [index, related] = commands!.block.trim().split('\n');
  const run = (line: string) =>
    akin(
      line
        .split(' ')
        .slice(1)
        .map((word) => (/^shop\./.test(word) ? join(shop, word) : word)),
    );
  assert.equal((await run(index!)).code, 0);
  const { generation, ...shown } = JSON.parse((await run(related!)).stdout);
  assert.match(generation, /^[\da-f]{16}$/);
  assert.deepEqual({ ...shown, generation: '...' }, JSON.parse(answer!.block));
});
