/** Which URLs belong to a crawl. */
import { optionFault } from '../../errors.ts';
import { hash32 } from '../../lib/hash.ts';
import { hostOf, siteOf } from '../../url/site.ts';
import type { CrawlSettings } from './options.ts';

type ScopeSettings = Pick<CrawlSettings, 'scope' | 'include' | 'exclude' | 'part' | 'parts'>;

export class Scope {
  readonly #settings: ScopeSettings;
  readonly #include: RegExp | null;
  readonly #exclude: RegExp | null;
  /** Sites of the seeds, or their hosts. */
  readonly #names: Set<string>;

  /**
   * @param hosts what `widen` gave in earlier runs of the crawl.
   * Errors  InputError AKIN_ERR_OPTION for what is no regular expression.
   */
  constructor(settings: ScopeSettings, hosts: readonly string[]) {
    this.#settings = settings;
    this.#include = expression('--include', settings.include);
    this.#exclude = expression('--exclude', settings.exclude);
    this.#names = new Set(hosts.map((host) => this.#nameOf(`http://${host}/`)));
  }

  /** A seed, or where a seed leads by redirect: its site or host belongs to the crawl. Returns the host where that is new, else null. */
  widen(url: string): string | null {
    if (this.#settings.scope === 'any') return null;
    const name = this.#nameOf(url);
    if (this.#names.has(name)) return null;
    this.#names.add(name);
    return hostOf(url);
  }

  /** Whether a canonical URL is of a site or host of the crawl, whatever it looks like. */
  isInside(url: string): boolean {
    return this.#settings.scope === 'any' || this.#names.has(this.#nameOf(url));
  }

  /** Whether a link to a canonical URL is followed. */
  holds(url: string): boolean {
    if (!this.isInside(url)) return false;
    return this.#include?.test(url) !== false && this.#exclude?.test(url) !== true;
  }

  /** The part, 1 .. parts, that fetches from this host. */
  partOf(host: string): number {
    return this.#settings.parts === 1 ? 1 : 1 + (hash32(host) % this.#settings.parts);
  }

  #nameOf(url: string): string {
    return this.#settings.scope === 'host' ? hostOf(url) : siteOf(url);
  }
}

function expression(flag: string, source: string): RegExp | null {
  if (source === '') return null;
  try {
    // bounded: a URL of a crawl is short, and the operator wrote the expression.
    return new RegExp(source);
  } catch (cause) {
    throw optionFault(
      `${flag} is no regular expression: ${(cause as Error).message}`,
      'write it as JavaScript does, such as ^https://example\\.org/docs/',
      cause,
    );
  }
}
