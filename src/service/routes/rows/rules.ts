/** What the app wants of its lists: pages first, and pages in none. */
import { parseJson } from '../../http/body.ts';
import { Problem } from '../../http/problems/problem.ts';
import { ahead } from '../../reads/ahead.ts';
import type { Reads } from '../../reads/reads.ts';
import { NO_RULES, type Rules, readRules } from '../../rules/rules.ts';
import { type RulesAnswer, RulesSchema } from '../../schemas/answers/list-answers.ts';
import { RulesBody } from '../../schemas/parameters/bodies.ts';
import { type Gone, route, type Said, type Service } from '../route/route.ts';

const ACCESS = { tag: 'rules', scope: 'write', path: '/rules', query: {}, answers: RulesSchema } as const;

export const RULE_ROUTES = {
  rules: route({
    ...ACCESS,
    method: 'GET',
    summary: 'Which pages lists begin with, and which are in none',
    says: 'All rules.',
    problems: [],
    act: (service, _question, gone) => said(service, service.holder.current().facts.rules, gone),
  }),
  putRules: route({
    ...ACCESS,
    method: 'PUT',
    summary: 'Says which pages lists begin with, and which are in none',
    body: { 'application/json': RulesBody },
    bodyLimit: 512 * 1024,
    says: 'They are on the disk, and hold for all lists from now on.',
    problems: [404, 413, 415, 507],
    answer: (reads) => notIndexed(reads),
    isLong: () => true,
    act: async (service, { body }, gone) => {
      requireTaking(service);
      const rules = readRules(parseJson(body), Date.now());
      service.holder.keepRules(rules);
      return said(service, rules, gone);
    },
  }),
  deleteRules: route({
    ...ACCESS,
    method: 'DELETE',
    summary: 'Takes all rules back',
    says: 'There are none from now on.',
    problems: [404],
    act: async (service, _question, gone) => {
      requireTaking(service);
      service.holder.keepRules(NO_RULES);
      return said(service, NO_RULES, gone);
    },
  }),
};

/** Errors  Problem `rules-off`. */
function requireTaking({ holder, takesRules }: Service): void {
  if (takesRules && holder.canKeepRules) return;
  const detail =
    'this service takes no rules; akin serve FILE --writable does, and one with a key that may write';
  throw new Problem('rules-off', detail);
}

async function said({ ask, holder }: Service, { rules }: Rules, gone: Gone): Promise<Said> {
  const question = { query: {}, offset: 0, hash: '', body: null };
  const { value, lost } = await ask(holder.current(), 'putRules', question, gone);
  return { value: { rules: rules as RulesAnswer['rules'], not_indexed: value as string[] }, lost };
}

/** URLs of the rules that no page of the index has, or one that is gone. */
async function notIndexed(reads: Reads): Promise<string[]> {
  const missing: string[] = [];
  for await (const [url, pageId] of ahead(reads, reads.facts.rules.urls, (one) => reads.idOf(one))) {
    if (pageId < 0 || (await reads.isGone(await reads.successor(pageId)))) missing.push(url);
  }
  return missing;
}
