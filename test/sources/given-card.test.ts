/** What a record says beside its text goes before what the page says of itself. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildIndex } from '../../src/library/build.ts';
import { openIndex } from '../../src/library/library.ts';
import { newFolder } from '../new-folder.ts';

test('an image of a record may be relative to its page, and is none where it is not of the web', async () => {
  const folder = newFolder('given-card');
  const images: readonly (readonly [given: unknown, shown: string | null])[] = [
    ['/img/a.jpg?w=3', 'https://shop.example/img/a.jpg?w=3'],
    ['a b.jpg', 'https://shop.example/p/a%20b.jpg'],
    ['//cdn.example/a.jpg', 'https://cdn.example/a.jpg'],
    ['https://cdn.example/a.jpg', 'https://cdn.example/a.jpg'],
    ['data:image/png;base64,AAAA', null],
    ['javascript:alert(1)', null],
    ['http://', null],
    ['  ', null],
    [7, null],
  ];
  const records = images.map(([image], i) => {
    return { url: `https://shop.example/p/${i}`, text: `tea number ${i} of the leaves`, image };
  });
  const lines = join(folder, 'shop.jsonl');
  writeFileSync(lines, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const to = join(folder, 'shop.akin');
  await buildIndex({ inputs: [lines], to });
  await using index = await openIndex(to);
  for (const [i, [given, shown]] of images.entries())
    assert.equal((await index.page(`https://shop.example/p/${i}`)).image, shown, String(given));
});
