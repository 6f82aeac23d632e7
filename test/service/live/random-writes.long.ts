/** Pages are written, deleted and folded at random; what a server says of them is what twenty lines that hold them in a map say. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { buildIndex } from '../../../src/indexer/build-index.ts';
import { additionTo } from '../../../src/indexer/options/stored-options.ts';
import { Random } from '../../../src/lib/random.ts';
import { buildApp } from '../../../src/service/app.ts';
import { DEFAULTS, input, noting } from '../../indexer/build.ts';
import { type Body, pathOf, type Query } from '../fixture-app.ts';
import { temporaryFolder } from '../fixture-index.ts';
import { lines, NDJSON } from '../routes/writable.ts';

const ROUNDS = 10;
const WORDS = 'amber birch cedar daisy ember fennel ginger hazel iris jasmine kelp laurel maple nettle'.split(
  ' ',
);
const SITES = ['a.example', 'b.example', 'xn--mller-kva.example'];
const HOSTS = ['a.example', 'b.example', 'sub.b.example', 'xn--mller-kva.example'];
const PATHS = ['p', 'q%20r', '%C3%BC', 'a*b', 'z?x=1&y=2', 'D'];
const URLS = Array.from({ length: 24 }, (_, i) => `https://${HOSTS[i % 4]}/${PATHS[i % 6]}${i}`);

interface Page {
  readonly title: string;
  readonly text: string;
  readonly lang: string;
  readonly fields: { readonly color?: string | readonly string[]; readonly price?: number };
  readonly isHidden: boolean;
}

const record = ({ title, text, lang, fields, isHidden }: Page) => ({
  html: `<html lang="${lang}"><title>${title}</title>${isHidden ? '<meta name="robots" content="noindex">' : ''}<p>${text}</p>`,
  fields,
});
const has = (page: Page, word: string) => page.text.split(' ').includes(word);
const isRed = (page: Page | undefined) => [page?.fields.color].flat().includes('red');
const siteOf = (url: string) => new URL(url).host.replace('sub.', '');

class Web {
  readonly pages = new Map<string, Page>();
  readonly #random: Random;
  readonly #texts: string[] = [];

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  below = (count: number) => this.#random.below(count);
  pick = <T>(all: readonly T[]): T => all[this.below(all.length)]!;

  page(): Page {
    // Every fifth page has the text of another one.
    const isCopy = this.#texts.length > 0 && this.below(5) === 0;
    const count = 14 + this.below(30);
    const text = isCopy
      ? this.pick(this.#texts)
      : Array.from({ length: count }, () => this.pick(WORDS)).join(' ');
    this.#texts.push(text);
    const fields = { color: this.pick(['red', 'blue', ['red', 'green']]), price: this.below(10) };
    return {
      title: this.pick(['Tea', 'Bread', 'Sea']),
      text,
      lang: this.pick(['en', 'de']),
      fields: this.below(3) === 0 ? {} : fields,
      isHidden: this.below(9) === 0,
    };
  }

  /** Of the pages that are there. */
  urls(takes: (page: Page, url: string) => boolean = () => true): string[] {
    const found = [...this.pages].filter(([url, page]) => !page.isHidden && takes(page, url));
    return found.map(([url]) => url).sort();
  }
}

for (const seed of [1, 2, 3, 4, 5]) {
  test(`what a server says of pages is what was written, through folds and starts (${seed})`, async () => {
    const folder = temporaryFolder({ after });
    const target = join(folder, 'web.akin');
    const web = new Web(seed);
    for (const url of URLS.slice(0, 14)) web.pages.set(url, { ...web.page(), isHidden: false });
    writeFileSync(
      join(folder, 'web.jsonl'),
      lines([...web.pages].map(([url, page]) => ({ url, ...record(page) }))),
    );
    await buildIndex(
      {
        ...DEFAULTS,
        target,
        inputs: [input(join(folder, 'web.jsonl'))],
        minPageCount: 1,
        maxPageShare: 1,
        fields: { price: 'number', color: 'any' },
      },
      noting().listener,
    );
    const run = async (paths: readonly string[], sweepName: string) => {
      const how = { memoryBytes: 64 << 20, workerCount: 1, isWhole: false };
      const inputs = paths.map((path) => input(path));
      await buildIndex(additionTo({ target, sweepName, inputs, ...how }), noting().listener);
      return true;
    };
    const live = { maxPending: 1000, maxPendingBytes: 2 ** 24, share: 2, waitMs: 1e9, run };
    const open = () => buildApp({ indexPath: target, pollMs: 0, maxEventLoopDelayMs: 0, live });
    let app = await open();
    const send = (method: 'PUT' | 'POST' | 'DELETE', url: string, payload?: object | string, headers = {}) =>
      app.inject({ method, url, headers, ...(payload !== undefined && { payload }) });
    const get = async (path: string, query: Query): Promise<Body> => {
      const answer = await app.inject(pathOf(path, query));
      assert.equal(answer.statusCode, 200, answer.body);
      return answer.json();
    };
    const walk = async (path: string, query: Query, of: string): Promise<string[]> => {
      const found: string[] = [];
      for (let next: string | null = ''; next !== null; ) {
        const body = await get(path, next === '' ? query : { ...query, cursor: next });
        found.push(...body[of].map(({ url }: Body) => url));
        next = body.next;
      }
      return found.sort();
    };

    const requireAll = async (when: string) => {
      for (const word of WORDS.slice(0, 6)) {
        const query = { q: `${word} `, group: 'none' };
        const found = web.urls((page) => has(page, word));
        assert.deepEqual(await walk('/search', { ...query, limit: 7 }, 'results'), found, `${when}: ${word}`);
        const filter = { 'field.color': 'red', 'field.price': '3..', facets: 'lang' };
        const { results, total, facets } = await get('/search', { ...query, ...filter, limit: 50 });
        const red = (page: Page) => has(page, word) && isRed(page) && page.fields.price! >= 3;
        assert.deepEqual(results.map(({ url }: Body) => url).sort(), web.urls(red), `${when}: red ${word}`);
        assert.equal(total, web.urls(red).length);
        for (const { value, pages } of facets[0].values)
          assert.equal(
            pages,
            web.urls((page) => red(page) && page.lang === value).length,
            `${when}: ${value}`,
          );
      }
      const { sites } = await get('/sites', { limit: 100 });
      for (const site of SITES) {
        const own = web.urls((_, url) => siteOf(url) === site);
        const counted = sites.find((one: Body) => one.site === site)?.fetched_pages ?? 0;
        assert.equal(counted, own.length, `${when}: ${site}`);
        if (own.length > 0) assert.deepEqual(await walk('/pages', { site, limit: 5 }, 'pages'), own, when);
      }
      for (const url of URLS) {
        const page = web.pages.get(url);
        if (page === undefined || page.isHidden) {
          const said = await app.inject(pathOf('/page', { url }));
          assert.ok(said.statusCode === 404 || said.json().gone, `${when}: ${url} is there`);
          continue;
        }
        const said = await get('/page', { url });
        const { title, lang, fields, gone, word_count: wordCount } = said;
        const shown = [page.title, page.lang, page.fields, false, page.text.split(' ').length];
        assert.deepEqual([title, lang, fields, gone, wordCount], shown, `${when}: ${url}`);
        const others = web.urls((_, other) => other !== url);
        const list = async (query: Query) => {
          const { related } = await get('/related', { url, limit: 50, ...query });
          const urls: string[] = related.map((one: Body) => one.url);
          assert.equal(new Set(urls).size, urls.length);
          assert.deepEqual(new Set(urls).difference(new Set(others)), new Set(), `${when}: ${url}`);
          return urls;
        };
        const copies = new Set(await list({ by: 'copy' }));
        for (const copy of web.urls(({ title, text }) => text === page.text && title === page.title))
          assert.ok(copy === url || copies.has(copy), `${when}: ${copy} is a copy of ${url}`);
        const all = await list({});
        const red = await list({ 'field.color': 'red' });
        assert.ok(
          red.every((other) => isRed(web.pages.get(other))),
          `${when}: ${url}`,
        );
        for (const other of all.filter((one) => isRed(web.pages.get(one)))) assert.ok(red.includes(other));
      }
    };

    await requireAll('as built');
    for (let round = 0; round < ROUNDS; round++) {
      for (let count = 1 + web.below(8); count > 0; count--) {
        const url = web.pick(URLS);
        const kind = web.below(10);
        const isThere = web.urls().includes(url);
        if (kind < 6) {
          const page = web.page();
          assert.ok((await send('PUT', pathOf('/pages', { url }), record(page))).statusCode < 300);
          web.pages.set(url, page);
        } else if (kind < 8) {
          const { statusCode } = await send('DELETE', pathOf('/pages', { url }));
          assert.ok(statusCode === 200 || !isThere, `${url} is there and cannot be deleted`);
          web.pages.delete(url);
        } else {
          const pages = Array.from({ length: 1 + web.below(4) }, () => [web.pick(URLS), web.page()] as const);
          const records = pages.map(([one, page]) => ({ url: one, ...record(page) }));
          assert.equal((await send('POST', '/pages', lines(records), NDJSON)).statusCode, 200);
          for (const [one, page] of pages) web.pages.set(one, page);
        }
      }
      await requireAll(`round ${round}`);
      if (web.below(3) === 0) {
        await app.close();
        app = await open();
        await requireAll(`round ${round}, started again`);
      }
      if (web.below(2) === 0) {
        const { statusCode } = await send('POST', '/pages/fold', undefined, { prefer: 'wait=50' });
        assert.equal(statusCode, 200);
        await requireAll(`round ${round}, folded`);
      }
    }
    await app.close();
  });
}
