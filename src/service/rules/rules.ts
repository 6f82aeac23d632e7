/**
 * What the app wants of its lists: pages that come first, and pages that are in none; for a page, for all pages of a site, or for
 * all. A rule that says neither `url` nor `site` is for all.
 */
import { listIn } from '../../lib/kept.ts';
import { wantedUrlText } from '../../url/bad-url.ts';
import { canonicalUrl } from '../../url/canonical-url.ts';
import { siteNamed } from '../../url/site.ts';
import { parameterProblem } from '../http/problems/problem.ts';
import { parameterReader, readInside } from '../http/question/parameter-reader.ts';
import { textHash } from '../http/question/request-key.ts';
import { type GivenRule, ListRule, RulesBody } from '../schemas/parameters/bodies.ts';
import { excludedForm } from '../schemas/parameters/excluded.ts';

/** Whose lists a rule is for: of the page itself, of its site, or all. */
export type RuleOf = 'page' | 'site' | 'all';

/** The rules that hold for the list of a page. */
export interface HeldRules {
  /** Canonical URLs, first things first; those of the page itself before those of its site and those of all. */
  readonly pins: readonly { readonly url: string; readonly of: RuleOf }[];
  /** As values of `exclude`. */
  readonly blocks: readonly string[];
}

/** Rules as they are passed on to threads. */
export interface RulesChange {
  readonly rules: readonly GivenRule[];
  readonly changedMs: number;
}

export class Rules implements RulesChange {
  /** In their one form; [] for none. */
  readonly rules: readonly GivenRule[];
  /** Names them; '' for none. */
  readonly digest: string;
  readonly changedMs: number;
  /** Canonical URLs that rules for single pages name these by. */
  readonly pageUrls: readonly string[];
  readonly #ofPages = new Map<string, GivenRule[]>();
  readonly #ofSites = new Map<string, GivenRule[]>();
  readonly #ofAll: GivenRule[] = [];

  constructor({ rules, changedMs }: RulesChange) {
    this.rules = rules;
    this.digest = rules.length === 0 ? '' : textHash(JSON.stringify(rules));
    this.changedMs = changedMs;
    for (const rule of rules) {
      if (rule.url !== undefined) listIn(this.#ofPages, rule.url).push(rule);
      else if (rule.site !== undefined) listIn(this.#ofSites, rule.site).push(rule);
      else this.#ofAll.push(rule);
    }
    this.pageUrls = [...this.#ofPages.keys()];
  }

  /** Those for a page by the canonical URLs that lead to it, and its site; null for none. */
  of(urls: readonly string[], siteOf: () => string | null): HeldRules | null {
    if (this.rules.length === 0) return null;
    const site = this.#ofSites.size === 0 ? null : siteOf();
    const held: [RuleOf, readonly GivenRule[]][] = [
      ['page', [...new Set(urls)].flatMap((url) => this.#ofPages.get(url) ?? [])],
      ['site', (site === null ? undefined : this.#ofSites.get(site)) ?? []],
      ['all', this.#ofAll],
    ];
    if (held.every(([, rules]) => rules.length === 0)) return null;
    const pins = new Map<string, RuleOf>();
    for (const [of, rules] of held) {
      for (const pinned of rules.flatMap(({ pin = [] }) => pin)) if (!pins.has(pinned)) pins.set(pinned, of);
    }
    const blocks = new Set(held.flatMap(([, rules]) => rules.flatMap(({ block = [] }) => block)));
    return { pins: Array.from(pins, ([pinned, of]) => ({ url: pinned, of })), blocks: [...blocks] };
  }

  /** For threads, which make them anew. */
  get change(): RulesChange {
    return { rules: this.rules, changedMs: this.changedMs };
  }

  /** URLs of the pages that rules are for, and that are pinned. */
  get urls(): string[] {
    const urls = this.rules.flatMap(({ url = [], pin = [] }) => [url, pin].flat());
    return [...new Set(urls)];
  }
}

export const NO_RULES = new Rules({ rules: [], changedMs: 0 });

const readBody = parameterReader(RulesBody, 'body');
const readRule = parameterReader(ListRule, 'body');

/** Rules as they are given. Errors  Problem `invalid-body`, `invalid-parameters` that names the rule. */
export function readRules(given: unknown, changedMs: number): Rules {
  const rules = readBody(given).rules.map((rule, i) => readInside(`rules[${i}]`, ruleIn, rule));
  return rules.length === 0 ? NO_RULES : new Rules({ rules, changedMs });
}

function ruleIn(given: unknown): GivenRule {
  const { url, site, pin, block } = readRule(given);
  if (url !== undefined && site !== undefined) {
    throw parameterProblem('site', 'a rule is for a page or for a site', site, 'url or site, or neither');
  }
  if (pin === undefined && block === undefined) {
    throw parameterProblem('pin', 'a rule says pin, or block, or both', null, 'URLs');
  }
  return {
    ...(url !== undefined && { url: formOf('url', url, canonicalUrl) }),
    ...(site !== undefined && { site: formOf('site', site, siteNamed, 'a domain, such as example.org') }),
    ...(pin !== undefined && {
      pin: pin.map((one) => formOf('pin', one, canonicalUrl)),
    }),
    ...(block !== undefined && {
      block: block.map((one) =>
        formOf(
          'block',
          one,
          excludedForm,
          'a URL, the beginning of one with a * at its end alone, or a domain',
        ),
      ),
    }),
  };
}

function formOf(
  name: string,
  value: string,
  normal: (value: string) => string | null,
  allowed?: string,
): string {
  const form = normal(value);
  if (form !== null) return form;
  const wanted = wantedUrlText(value, allowed);
  throw parameterProblem(name, `must be ${wanted}`, value, wanted);
}
