import { cutText } from '../lib/cut-text.ts';
import { primarySubtag } from '../text/primary-subtag.ts';
import { resolveHttp } from '../url/http-reference.ts';
import { CardFacts } from './card/card-facts.ts';
import { MetaFields } from './fields/meta-fields.ts';
import { refreshTarget } from './refresh-target.ts';
import { isNameOf, robotsRules } from './robots-rules.ts';

const MAX_TITLE_LENGTH = 500;
/** What pages call us; a crawl may have a name of its own. */
export const ROBOT = 'akin';

/** The title of a tidied line: what of it is kept. */
export function titleOf(tidied: string): string {
  // A copy: a slice would keep the whole page in memory for as long as its title is known.
  return ` ${cutText(tidied, MAX_TITLE_LENGTH)}`.slice(1).trimEnd().toWellFormed();
}

/** What the head of a page says about the page. The first word on each matter counts. */
export class DocumentFacts {
  readonly #url: string;
  readonly #agent: string;
  #title = '';
  #lang: string | null = null;
  #metaLang: string | null = null;
  #baseHref: string | null = null;
  #canonicalHref: string | null = null;
  #refreshHref: string | null = null;
  readonly card = new CardFacts();
  readonly fields = new MetaFields();
  noindex = false;
  nofollow = false;

  /** @param agent product token of the robot that rules may name. */
  constructor(url: string, agent: string) {
    this.#url = url;
    this.#agent = agent;
  }

  /** The first title that is not blank. */
  sawTitle(tidied: string): void {
    if (this.#title !== '') return;
    this.#title = titleOf(tidied);
  }

  sawHtml(lang?: string, xmlLang?: string): void {
    this.#lang ??= primarySubtag(lang) ?? primarySubtag(xmlLang);
  }

  sawBase(href?: string): void {
    this.#baseHref ??= href ?? null;
  }

  sawLink(rel?: string, href?: string): void {
    if (rel === undefined || href === undefined || href.trim() === '') return;
    if (rel.toLowerCase().split(/\s+/).includes('canonical')) this.#canonicalHref ??= href;
  }

  /** @param property the attribute of RDFa, or of microdata, that stands for the name. */
  sawMeta(name?: string, httpEquiv?: string, content?: string, property?: string): void {
    if (content === undefined) return;
    if (name !== undefined && this.fields.saw(name.trim(), content)) return;
    const key = name?.trim().toLowerCase();
    if (key === 'robots' || isNameOf(key ?? '', this.#agent)) this.#sawRobots(content);
    else this.card.sawMeta(key ?? property?.trim().toLowerCase() ?? '', content);
    const header = httpEquiv?.trim().toLowerCase();
    if (header === 'content-language') this.#metaLang ??= primarySubtag(content);
    else if (header === 'refresh') this.#refreshHref ??= refreshTarget(content);
  }

  #sawRobots(content: string): void {
    const { noindex, nofollow } = robotsRules([content], this.#agent);
    this.noindex ||= noindex;
    this.nofollow ||= nofollow;
  }

  get title(): string {
    return this.#title;
  }

  get lang(): string | null {
    return this.#lang ?? this.#metaLang;
  }

  /** The page's own URL unless it names another http(s) base of at most MAX_URL_LENGTH characters. */
  get base(): string {
    return resolveHttp(this.#baseHref, this.#url) ?? this.#url;
  }

  get canonical(): string | null {
    return resolveHttp(this.#canonicalHref, this.base);
  }

  get refresh(): string | null {
    return resolveHttp(this.#refreshHref, this.base);
  }
}
