/**
 * What a robots.txt allows (RFC 9309), and the crawl delay and sitemaps that many files name as well.
 *
 * All groups for this crawler count as one; where there is none, those for `*`. Read leniently, as the large crawlers do:
 * any line end, any case, usual misspellings, a blank in place of the colon.
 *
 * Of an escaped letter, `/%7Ejoe/`, the RFC says that it is the letter, and the published cases that it is not: what either
 * reading forbids is not fetched.
 *
 * robots-parser 3.0.1 decides 12 of the 136 published cases otherwise; this one none (test/crawl/rules/robots.test.ts).
 */
import { productToken } from '../../page/robots-rules.ts';
import { type GivenRule, PathRules } from './path-rules.ts';

interface Group {
  readonly agents: string[];
  readonly rules: GivenRule[];
  crawlDelaySeconds: number | null;
}

/** Bytes that are read; the RFC asks for 500 KiB at least. */
export const MAX_ROBOTS_BYTES = 512 * 1024;
/** Characters of a line that are read: several times the longest URL, as the large crawlers do. */
const MAX_LINE_CHARS = 16_384;

const FIELDS: readonly (readonly [RegExp, 'agent' | 'allow' | 'disallow' | 'sitemap' | 'delay'])[] = [
  [/^user[ -]?agent$/, 'agent'],
  [/^allow$/, 'allow'],
  [/^(dis?s?all?ow|diasllow|disallaw)$/, 'disallow'],
  [/^site-?map$/, 'sitemap'],
  [/^crawl-?delay$/, 'delay'],
];

const ESCAPE = /%[\dA-F]{2}/gi;
/** Needs no escape in a path, or has one because it means more in a pattern. */
const PLAIN = /[\w.~$*-]/;

export class Robots {
  /** As they are written. */
  readonly #rules: PathRules;
  /** With letters in place of their escapes; null where there are none. */
  readonly #unescaped: PathRules | null;
  /** Seconds the site asks to leave between two fetches; null where it does not. */
  readonly crawlDelaySeconds: number | null;
  /** As given. */
  readonly sitemaps: readonly string[];

  private constructor(
    rules: readonly GivenRule[],
    crawlDelaySeconds: number | null,
    sitemaps: readonly string[],
  ) {
    this.#rules = new PathRules(rules);
    const isEscaped = rules.some(({ pattern }) => unescaped(pattern) !== pattern);
    this.#unescaped = isEscaped ? new PathRules(rules, unescaped) : null;
    this.crawlDelaySeconds = crawlDelaySeconds;
    this.sitemaps = sitemaps;
  }

  static readonly allowAll = new Robots([], null, []);

  /** @param agent product token of this crawler, such as `akin`. */
  static parse(text: string, agent: string): Robots {
    const { groups, sitemaps } = readGroups(text);
    const token = agent.toLowerCase();
    const isFor = (wanted: (name: string) => boolean) => groups.filter(({ agents }) => agents.some(wanted));
    const own = token === '' ? [] : isFor((name) => productToken(name) === token);
    const chosen = own.length > 0 ? own : isFor((name) => /^\*(\s|$)/.test(name));
    const delays = chosen.flatMap(({ crawlDelaySeconds }) => crawlDelaySeconds ?? []);
    const delay = delays.length === 0 ? null : Math.max(...delays);
    return new Robots(
      chosen.flatMap(({ rules }) => rules),
      delay,
      sitemaps,
    );
  }

  /** Rules that hold more sternly than they are written: there are too many stars. */
  get shortenedRules(): number {
    return this.#rules.shortened;
  }

  /** @param url canonical; robots.txt itself is always allowed. */
  allows(url: string): boolean {
    const path = spelled(pathOf(url));
    if (path === '/robots.txt') return true;
    return this.#rules.allow(path) && this.#unescaped?.allow(unescaped(path)) !== false;
  }
}

function readGroups(text: string): { groups: Group[]; sitemaps: string[] } {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  let last: 'agent' | 'delay' | 'rule' = 'rule';
  /** Those that the next rule is for: a delay between two agents is for the first alone, and does not part them. */
  let heads: Group[] = [];
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)) {
    const [field, value] = readLine(line);
    if (field === 'agent') {
      if (last === 'rule') heads = [];
      if (last !== 'agent') {
        const group: Group = { agents: [], rules: [], crawlDelaySeconds: null };
        groups.push(group);
        heads.push(group);
      }
      heads.at(-1)!.agents.push(value);
      last = 'agent';
    } else if (field === 'allow' || field === 'disallow') {
      last = 'rule';
      if (value !== '') for (const { rules } of heads) rules.push(...rulesOf(field === 'allow', value));
    } else if (field === 'delay') {
      if (last === 'agent') last = 'delay';
      const group = heads.at(-1);
      const seconds = Number(value);
      if (group !== undefined && value !== '' && seconds >= 0) group.crawlDelaySeconds = seconds;
    } else if (field === 'sitemap' && value !== '') sitemaps.push(value);
  }
  return { groups, sitemaps };
}

function readLine(line: string): readonly [field: (typeof FIELDS)[number][1] | null, value: string] {
  const bare = line.slice(0, MAX_LINE_CHARS).split('#', 1)[0]!.trim();
  const colon = bare.indexOf(':');
  const words = bare.split(/\s+/);
  const isPair = colon < 0 && words.length === 2;
  const [name, value] = isPair ? words : [bare.slice(0, Math.max(colon, 0)), bare.slice(colon + 1)];
  const word = name!.trim().toLowerCase();
  const field = FIELDS.find(([pattern]) => pattern.test(word));
  return [field?.[1] ?? null, value!.trim()];
}

/** A folder is allowed with its index page. */
function rulesOf(isAllow: boolean, value: string): GivenRule[] {
  const pattern = normalize(value);
  const folder = /^(.*\/)index\.html?$/.exec(pattern)?.[1];
  const rules = [{ isAllow, pattern }];
  if (isAllow && folder !== undefined) rules.push({ isAllow, pattern: `${folder}$` });
  return rules;
}

/** Escapes what is not ASCII and writes escapes in upper case, as a canonical URL has them. */
function normalize(pattern: string): string {
  const escaped = pattern.replace(/[^\x21-\x7e]/gu, (character) =>
    encodeURIComponent(character.toWellFormed()),
  );
  return spelled(escaped.replace(/%[\da-f]{2}/gi, (found) => found.toUpperCase()));
}

/** A canonical URL has these escaped, some of them in its path or in its query alone: a star in a pattern stands for either. */
function spelled(text: string): string {
  return text.replace(
    /["'<>\\^`{}]|%(?![\dA-F]{2})/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function unescaped(text: string): string {
  return text.replace(ESCAPE, (found) => {
    const character = String.fromCharCode(Number.parseInt(found.slice(1), 16));
    return PLAIN.test(character) ? character : found;
  });
}

/** Path and query. */
function pathOf(url: string): string {
  const path = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*([^#]*)/i.exec(url)?.[1] ?? '';
  return path.startsWith('/') ? path : `/${path}`;
}
