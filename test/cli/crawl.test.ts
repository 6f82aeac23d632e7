import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { links, pages, serve, temporaryFolder } from '../crawl/loopback.ts';
import { akin } from './terminal.ts';

const FAST = ['--allow-address', '127.0.0.1', '--delay', '0'];

/** A site of six pages in a row on 127.0.0.1, and an empty folder. */
async function site(t: TestContext): Promise<{ home: string; folder: string }> {
  const urls: Record<string, string> = {};
  const { port } = await serve(t, (request, response) => pages(urls)(request, response));
  const home = `http://127.0.0.1:${port}`;
  const text = 'Roses want sun, rich soil and water; prune a rose in spring.';
  for (let i = 0; i < 6; i++)
    urls[`${home}/${i}`] = `<title>Page ${i}</title><p>${text} ${i}</p>${links(`/${i + 1}`)}`;
  return { home, folder: join(temporaryFolder(t), 'crawl') };
}

test('a crawl ends at its limit, goes on with --resume and its settings, is shown, and becomes an index', async (t) => {
  const { home, folder } = await site(t);
  const first = await akin([
    'crawl',
    `${home}/0`,
    '--to',
    folder,
    '--max-pages',
    '2',
    ...FAST,
    '--contact',
    'a@b.example',
  ]);
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /fetched {3}2 URLs/);
  assert.match(first.stderr, /hint: akin crawl --resume --to .* goes on/);
  const second = await akin(['crawl', '--resume', '--to', folder, '--max-pages', '0', '--json']);
  assert.equal(second.code, 0, second.stderr);
  const { state } = JSON.parse(second.stdout);
  assert.deepEqual(
    [state.ending, state.counts.responses, state.settings.contact],
    ['complete', 7, 'a@b.example'],
  );
  const shown = await akin(['show', folder]);
  assert.match(shown.stdout, /sweep 1, complete after .*\n[\s\S]*127\.0\.0\.1 +7 +0/);
  assert.match(readFileSync(join(folder, 'metrics.prom'), 'utf8'), /^akin_crawl_responses_total 7$/m);
  const index = join(folder, 'web.akin');
  const built = await akin(['index', folder, '--to', index, '--min-df', '1', '--max-df', '1', '--json']);
  assert.equal(built.code, 0, built.stderr);
  assert.equal(JSON.parse(built.stdout).fetched_page_count, 6);
  const again = await akin(['crawl', '--recrawl', index, '--to', folder]);
  assert.match(again.stdout, /sweep 2, complete[\s\S]*content of 6 already/);
});

test('a crawl that may not fetch from an address goes on when it may, and speaks of that no more', async (t) => {
  const { home, folder } = await site(t);
  const refused = await akin(['crawl', `${home}/0`, '--to', folder, '--contact', 'a@b.example']);
  assert.equal(refused.code, 3);
  assert.match(refused.stderr, /^hint: an address that is not public .*--allow-address .*--resume/m);
  const { code, stdout, stderr } = await akin(['crawl', '--resume', '--to', folder, ...FAST]);
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /7 URLs.*: 6 pages/);
});

test('a crawl that fetches no page says so, and where it is written what became of each URL', async (t) => {
  const { home, folder } = await site(t);
  for (const [i, seeds] of [[`${home}/0.xml`], [`${home}/nowhere`, 'http://127.0.0.1:25/']].entries()) {
    const to = `${folder}${i}`;
    const { code, stdout, stderr } = await akin(['crawl', ...seeds, '--to', to, ...FAST]);
    assert.equal(code, 3, stderr);
    assert.match(stdout, /fetched {3}\d URLs?, .*: 0 pages/);
    assert.match(stderr, /^akin: no page was fetched\nhint: .*log\.jsonl says/m);
  }
});

test('a sweep that akin up has taken is not gone on with', async (t) => {
  const { home, folder } = await site(t);
  await akin(['crawl', `${home}/0`, '--to', folder, '--max-pages', '2', ...FAST]);
  const taken = join(folder, '..', 'taken-sweeps.json');
  const resume = () => akin(['crawl', '--resume', '--to', folder, '--max-pages', '3']);
  writeFileSync(taken, JSON.stringify({ sweep: 1, waiting: [] }));
  const refused = await resume();
  assert.equal(refused.code, 2, refused.stdout);
  assert.match(refused.stderr, /akin up has taken sweep 1 .*\n.*call akin up again/);
  writeFileSync(taken, JSON.stringify({ sweep: 0, waiting: [] }));
  assert.equal((await resume()).code, 0);
});

test('what is archived becomes one WACZ file, which is an input', async (t) => {
  const { home, folder } = await site(t);
  const file = join(temporaryFolder(t), 'site.wacz');
  const { code, stdout } = await akin(['crawl', `${home}/0`, '--to', folder, '--wacz', file, ...FAST]);
  assert.equal(code, 0);
  assert.match(stdout, /wrote .*site\.wacz: 6 pages, 7 captures/);
  const built = await akin([
    'index',
    file,
    '--to',
    join(folder, 'web.akin'),
    '--min-df',
    '1',
    '--max-df',
    '1',
    '--json',
  ]);
  assert.equal(JSON.parse(built.stdout).fetched_page_count, 6);
});

test('seeds come from files too, and a line that is not a URL is named', async (t) => {
  const { home, folder } = await site(t);
  const file = join(temporaryFolder(t), 'seeds.txt');
  writeFileSync(file, `# seeds\n\n${home}/4\n${home}/5\t3\n`);
  const { stdout, code } = await akin(['crawl', file, '--to', folder, '--max-depth', '0', '--json', ...FAST]);
  assert.equal(code, 0);
  assert.equal(JSON.parse(stdout).state.counts.responses, 2);
  writeFileSync(file, `${home}/4\nftp://a.example/\n`);
  const refused = await akin(['crawl', file, '--to', `${folder}2`]);
  assert.equal(refused.code, 3);
  assert.match(refused.stderr, /seeds\.txt line 2: ftp:\/\/a\.example\/" is not an http\(s\) URL/);
});

test('bad arguments are refused with a hint', async (t) => {
  const { folder } = await site(t);
  const cases: [string[], number, RegExp][] = [
    [['example.org'], 3, /example\.org is neither a URL nor a file\nhint: .*https:\/\/example\.org\//],
    [[], 3, /there is nothing to crawl/],
    [['--resume'], 3, /there is no crawl in .*\nhint: leave --resume out/],
    [['--resume', '--recrawl', 'x.akin'], 2, /cannot be used together/],
    [['http://a.example/', '--include', '('], 2, /--include is no regular expression/],
    [['http://a.example/', '--partition', '3/2'], 2, /--partition is "3\/2"; allowed: I\/N/],
    [['http://a.example/', '--allow-address', '10.0.0.0/33'], 2, /--allow-address is "10\.0\.0\.0\/33"/],
    [['http://a.example/', '--user-agent', '(x)'], 2, /--user-agent/],
  ];
  for (const [words, expected, message] of cases) {
    const { code, stderr } = await akin(['crawl', ...words, '--to', folder]);
    assert.equal(code, expected, `${words}: ${stderr}`);
    assert.match(stderr, message);
  }
  const up = await akin(['up', 'http://a.example/', '--every', 'often', '--to', folder]);
  assert.equal(up.code, 2);
  assert.match(up.stderr, /--every is "often"; allowed: a number and s, m, h or d/);
});
