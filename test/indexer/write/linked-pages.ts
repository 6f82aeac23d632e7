import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { input, temporaryFolder } from '../build.ts';
import { toJsonl } from '../pages.ts';

/** Pages known by links alone: enough of them to work aside. */
export function linkedPages(t: TestContext) {
  const pages = Array.from({ length: 17 }, (_, page) => {
    const links = Array.from({ length: 1000 }, (_, i) => `<a href="/${page}/${i}">rose ${i % 50} pruned</a>`);
    return { url: `https://rose.example/${page}.html`, html: links.join(' ') };
  });
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'pages.jsonl'), toJsonl(pages));
  return { inputs: [input(join(folder, 'pages.jsonl'))], target: join(folder, 'a.akin'), workerCount: 2 };
}
