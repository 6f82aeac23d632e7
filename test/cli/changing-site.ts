/** A site on loopback whose pages become others from sweep to sweep, and what is to be shown of them. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Random } from '../../src/lib/random.ts';
import { links, pages, serve, temporaryFolder } from '../crawl/loopback.ts';
import { prose } from '../indexer/pages.ts';
import { akin } from './terminal.ts';

export const CRAWL = ['--allow-address', '127.0.0.1', '--delay', '0'];
/** Settings of an index that every page is to have a bag in. */
export const BUILD = ['--min-df', '1', '--max-df', '1', '--workers', '1'];

/** What a URL says: a page of a text, that it has moved, that it is not to be indexed, that it is gone; or nothing, as it is refused. */
export type State =
  | { readonly text?: string; readonly to?: number; readonly hidden?: string }
  | 'gone'
  | 'refused';

/** Runs a command that succeeds; returns what it prints. */
export async function run(...argv: readonly string[]): Promise<string> {
  const { code, stderr, stdout } = await akin(argv);
  assert.equal(code, 0, `${argv.join(' ')}: ${stderr}`);
  return stdout;
}

/** Its first page leads to all others, whatever they say. @param index is what the crawl asks for pages by, in its folder. */
export async function changingSite(t: TestContext, index: string, first: readonly State[] = []) {
  let states = first;
  const urlOf = (i: number): string => `${home}/${i}`;
  const home: string = await serve(t, (request, response) => {
    const shown: Record<string, Parameters<typeof pages>[0][string]> = {};
    for (const [i, state] of states.entries()) {
      if (state === 'gone') continue;
      const { text = '', hidden = '', to = -1 } = state === 'refused' ? {} : state;
      const head = hidden === '' ? '' : '<meta name="robots" content="noindex">';
      const html = `<title>Page ${i}</title>${head}<p>${text}${hidden}</p>`;
      if (state === 'refused') shown[urlOf(i)] = (one) => one.writeHead(403).end();
      else shown[urlOf(i)] = to < 0 ? html : (one) => one.writeHead(301, { location: urlOf(to) }).end();
    }
    shown[`${home}/`] = `<title>Home</title>${links(...states.map((_, i) => urlOf(i)))}`;
    return pages(shown)(request, response);
  }).then(({ port }) => `http://127.0.0.1:${port}`);
  const folder = temporaryFolder(t);
  const crawl = join(folder, 'crawl');
  let sweep = 0;
  return {
    folder,
    crawl,
    urlOf,
    /** Crawls what the site says now. */
    async sweep(now: readonly State[]) {
      states = now;
      const how = sweep++ === 0 ? [`${home}/`] : ['--recrawl', join(folder, index)];
      await run('crawl', ...how, '--to', crawl, ...CRAWL);
    },
  };
}

/** What URLs say in the next sweep, drawn anew or as before. */
export function drawnStates(random: Random, before: readonly State[]): State[] {
  return before.map((state, i) => {
    const kind = random.below(10);
    if (kind < 4) return state;
    if (kind === 4) return 'gone';
    if (kind === 5) return { hidden: prose(random.below(1000), 30) };
    // To another one.
    if (kind === 6) return { to: (i + 1 + random.below(before.length - 1)) % before.length };
    return kind === 7 ? 'refused' : { text: prose(random.below(1000), 30) };
  });
}

/** What is known then: who is refused has learned nothing. */
export function knownStates(known: readonly State[], now: readonly State[]): State[] {
  return now.map((state, i) => (state === 'refused' ? known[i]! : state));
}

/** Which page a visitor of a URL is to find; null for none. */
export function pageAt(known: readonly State[], i: number, met: readonly number[] = []): number | null {
  const state = known[i]!;
  if (typeof state === 'string' || state.hidden !== undefined || met.includes(i)) return null;
  return state.to === undefined ? i : pageAt(known, state.to, [...met, i]);
}
