/** The pages that people see, in a real browser: the report of an evaluation, the documentation, a fragment in a page. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { reportFigures } from '../../src/cli/evaluate/report/report-charts.ts';
import { clusterTable, neighborTable, reportFacts } from '../../src/cli/evaluate/report/report-tables.ts';
import type { EvaluationReport } from '../../src/cli/evaluate/report.ts';
import { GARDEN_JSONL, GARDEN_PAGES } from '../cli/garden.ts';
import { akin, reportOf } from '../cli/terminal.ts';
import { fixtureApp } from '../service/fixture-app.ts';
import { leastContrast, openChromium, overflow, type View, visit } from './chromium.ts';

const folder = mkdtempSync(join(tmpdir(), 'akin-browser-'));
const found = await openChromium();
const browser = typeof found === 'string' ? null : found;
const skip = typeof found === 'string' ? found : false;
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

const source = join(folder, 'garden.jsonl');
writeFileSync(source, GARDEN_JSONL);
const labels = join(folder, 'labels.tsv');
const rows = GARDEN_PAGES.map(({ url }) => `${url}\t${new URL(url).host.split('.')[0]}/of <b>&\n`);
writeFileSync(labels, `url\tlabel\n${rows.join('')}`);

async function run(...argv: string[]): Promise<string> {
  const { code, stdout, stderr } = await akin(argv);
  assert.equal(code, 0, stderr);
  return stdout;
}

async function built(profile: string): Promise<string> {
  const index = join(folder, `${profile}.akin`);
  const flags = ['--profile', profile, '--max-df', '1', '--min-df', '1', '--workers', '1'];
  await run('index', source, '--to', index, ...flags);
  return index;
}

/** Declares the test of the report of an index of a profile, in some of the views. */
export function testReport(profile: string, views: readonly View[]): void {
  test(`the report of an index by ${profile} shows its figures, wide and narrow, light and dark`, {
    skip,
  }, async () => {
    const index = await built(profile);
    const html = join(folder, `${profile}.html`);
    const printed = await run('evaluate', index, '--labels', labels, '--html', html, '--json');
    const report = reportOf<EvaluationReport>(printed);
    const figures = reportFigures(report);
    const grounds = new Set<string>();
    for (const view of views) {
      const address = pathToFileURL(html).href;
      const { page, requests, complaints } = await visit(browser!, address, view);
      assert.deepEqual([requests, complaints], [[address], []]);
      assert.equal(await overflow(page), 0, JSON.stringify(view));
      assert.ok((await leastContrast(page)) >= 4.5, JSON.stringify(view));
      grounds.add(`${await page.evaluate('getComputedStyle(document.body).backgroundColor')}`);

      assert.deepEqual(
        (await page.locator('dd').allInnerTexts()).map(plain),
        reportFacts(report).map(([, value]) => plain(value)),
      );
      const cells = [neighborTable(report), clusterTable(report)].flatMap((table) => table.rows.flat());
      assert.deepEqual(await page.locator('td').allInnerTexts(), cells);
      assert.deepEqual(
        await page.locator('.figures h2').allInnerTexts(),
        figures.map(({ title }) => title),
      );
      assert.deepEqual(
        (await page.locator('figcaption').allInnerTexts()).map(plain),
        figures.map(({ text }) => plain(text)),
      );
      const drawn = page.locator('figure > svg');
      assert.equal(await drawn.count(), figures.length);
      for (const [i, { title, svg }] of figures.entries()) {
        const name = `${title}, ${JSON.stringify(view)}`;
        const box = (await drawn.nth(i).boundingBox())!;
        assert.ok(box.width > 250 && box.height > 40, name);
        const marks = await drawn.nth(i).locator('.line, .area, .bar, circle').count();
        assert.equal(marks, svg.match(/class="(?:line|area|bar)\b|<circle/g)?.length ?? 0, name);
        assert.equal(await drawn.nth(i).evaluate(OUTSIDE), 0, `${name}: words outside of the drawing`);
      }
      await page.close();
    }
    assert.equal(grounds.size, 2, 'a dark page is dark');
  });
}

/** Words of a drawing that reach over its edge. */
const OUTSIDE = (svg: {
  getBoundingClientRect(): DOMBox;
  querySelectorAll(names: string): Iterable<Marked>;
}) => {
  const edge = svg.getBoundingClientRect();
  return [...svg.querySelectorAll('text')].filter((text) => {
    const { left, right, top, bottom } = text.getBoundingClientRect();
    return left < edge.left - 1 || right > edge.right + 1 || top < edge.top - 1 || bottom > edge.bottom + 1;
  }).length;
};
type DOMBox = { left: number; right: number; top: number; bottom: number };
type Marked = { getBoundingClientRect(): DOMBox };

function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Declares the test of the pages of the service, in some of the views. */
export function testServicePages(views: readonly View[]): void {
  test('the documentation lists every call, and a fragment stands in a page of others', {
    skip,
  }, async () => {
    const app = await fixtureApp(await built('akin'));
    const origin = await app.listen({ host: '127.0.0.1', port: 0 });
    const { paths } = JSON.parse((await app.inject('/openapi.json')).body) as { paths: object };
    for (const view of new Set([views[0]!, views.at(-1)!])) {
      const { page, requests, complaints } = await visit(browser!, `${origin}/docs`, view);
      assert.deepEqual(complaints, []);
      assert.deepEqual(
        requests.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith('data:')),
        [],
      );
      const listed = await page.locator('section li code').allInnerTexts();
      const shown = new Set(listed.map((call) => call.split(' ')[1]!));
      assert.deepEqual([...shown].sort(), Object.keys(paths).sort());
      await page.close();
    }

    const url = GARDEN_PAGES[0].url;
    const fragment = (await app.inject(`/related.html?url=${encodeURIComponent(url)}`)).body;
    const host = join(folder, 'article.html');
    const head =
      '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">';
    writeFileSync(
      host,
      `${head}<title>t</title><body><article><h1>Roses</h1></article>${fragment}<footer>end</footer>`,
    );
    const related = JSON.parse(await run('related', join(folder, 'akin.akin'), url, '--json')).related as {
      url: string;
      title: string;
    }[];
    for (const view of views) {
      const address = pathToFileURL(host).href;
      const { page, requests, complaints } = await visit(browser!, address, view);
      assert.deepEqual([requests, complaints], [[address], []]);
      assert.equal(await overflow(page), 0);
      const links = page.locator('section.akin-related').getByRole('link');
      assert.deepEqual(
        await links.allInnerTexts(),
        related.map(({ title }) => title),
      );
      assert.deepEqual(
        await Promise.all((await links.all()).map((link) => link.getAttribute('href'))),
        related.map((one) => one.url),
      );
      // The fragment closes what it opens: what follows stands beside it, not in it.
      assert.equal(await page.locator('body > footer').innerText(), 'end');
      await page.close();
    }
  });
}
