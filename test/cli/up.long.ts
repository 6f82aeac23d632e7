import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../crawl/loopback.ts';
import { GARDEN_PAGES } from './garden.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** Resolves with the first match in what standard error says. */
async function said(child: ChildProcess, pattern: RegExp): Promise<string> {
  let text = '';
  for await (const chunk of child.stderr!.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    const [found] = pattern.exec(text) ?? [];
    if (found !== undefined) return found;
  }
  throw new Error(`ended without saying ${pattern}: ${text}`);
}

test('up leads from a site to its related pages; killed and called again it goes on, and takes up what changed', async (t) => {
  const texts = new Map(
    GARDEN_PAGES.map(({ title, text }, i) => [`/${i}`, `<title>${title}</title><p>${text}</p>`]),
  );
  const site = createServer((request, response) => {
    const text = texts.get(request.url!);
    const links = [...texts.keys()].map((path) => `<a href="${path}">page</a>`).join(' ');
    response.writeHead(text === undefined && request.url !== '/' ? 404 : 200, {
      'content-type': 'text/html',
    });
    response.end(`${text ?? '<title>Home</title>'}<div>${links}</div>`);
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const home = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const folder = join(temporaryFolder(t), 'up');
  const start = (...more: string[]) => {
    const flags = [
      '--to',
      folder,
      '--allow-address',
      '127.0.0.1',
      '--delay',
      '0',
      '--port',
      '0',
      '--log-level',
      'silent',
    ];
    const env = { ...process.env, AKIN_MIN_DF: '1', AKIN_MAX_DF: '1' };
    const child = spawn(process.execPath, [MAIN, 'up', `${home}/`, ...flags, ...more], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    t.after(() => child.kill('SIGKILL'));
    return child;
  };
  t.after(() => {
    site.closeAllConnections();
    site.close();
  });
  const related = async (address: string, path: string) => {
    const ask = () => fetch(`${address}/related?url=${encodeURIComponent(home + path)}`);
    let response = await ask();
    // A busy machine has any request refused now and then.
    for (; response.status === 503; response = await ask()) await setTimeout(100);
    const body = (await response.json()) as { related?: { title: string }[] };
    return { status: response.status, titles: body.related?.map(({ title }) => title) ?? [] };
  };

  const first = start();
  const address = await said(first, /http:\/\/[\d.:]+(?= \(open)/);
  const roses = await related(address, '/0');
  assert.equal(roses.status, 200);
  assert.ok(roses.titles.includes('Soil and compost'), String(roses.titles));
  assert.equal((await related(address, '/new')).status, 404);
  first.kill('SIGKILL');
  await once(first, 'exit');

  texts.set(
    '/new',
    '<title>Roses in pots</title><p>Roses in pots want rich soil, compost, sun and water.</p>',
  );
  const second = start('--every', '1s');
  const again = await said(second, /http:\/\/[\d.:]+(?= \(open)/);
  let found = await related(again, '/new');
  for (let i = 0; i < 600 && found.status !== 200; i++) {
    await setTimeout(100);
    found = await related(again, '/new');
  }
  assert.equal(found.status, 200);
  assert.ok(found.titles.includes('Growing roses'), String(found.titles));
  const { crawl } = (await (await fetch(`${again}/readyz`)).json()) as { crawl: Record<string, unknown> };
  assert.match(String(crawl['state']), /^(crawling|indexing|waiting)$/);
  assert.ok(Number(crawl['sweep']) >= 2 && Number(crawl['page_count']) >= GARDEN_PAGES.length, String(crawl));
  const metrics = await (await fetch(`${again}/metrics`)).text();
  assert.match(metrics, /^akin_crawl_pages_total \d+$/m);
  assert.match(metrics, /^akin_index_pages \d+$/m);
  const shown = await (await fetch(`${again}/`, { headers: { accept: 'text/html' } })).text();
  assert.match(shown, /Kept fresh by crawls|A crawl is (under way|being taken in)/);
  second.kill('SIGTERM');
  const [code] = await once(second, 'exit');
  assert.equal(code, 0);
});
