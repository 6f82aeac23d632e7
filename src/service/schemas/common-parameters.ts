/** Parameters that several routes take. */
import { Type } from 'typebox';
import { DEFAULT_RELATION, RELATION_NAMES, STORED_RELATION_NAMES } from '../../relations/relations.ts';
import { EXAMPLE_PAGES } from './fields.ts';

export const MAX_URL_CHARS = 4096;

/** A URL in a request. */
export function urlText<
  More extends { readonly description?: string; readonly examples?: readonly string[] },
>(more: More) {
  return Type.String({ format: 'uri', minLength: 1, maxLength: MAX_URL_CHARS, ...more });
}

export const pageUrl = urlText({
  description: 'The page, as an absolute http or https URL. Normalized as at indexing; aliases are followed.',
  examples: [EXAMPLE_PAGES[0]!],
});

export const by = Type.Enum([...RELATION_NAMES], {
  default: DEFAULT_RELATION.name,
  description:
    'The relation asked about. An index holds one or more of them, and those by links where it has links; see GET /index.',
});

export const clusteredBy = Type.Enum([...STORED_RELATION_NAMES], {
  default: DEFAULT_RELATION.name,
  description: 'The relation asked about. Relations by links have no clusters.',
});

export const limit = Type.Integer({
  minimum: 1,
  maximum: 100,
  default: 10,
  description: 'Length of the list at most.',
});

export const cursor = Type.String({
  maxLength: 100,
  description:
    'The `next` of the answer before. Bound to the generation of the index: an older one gets 410.',
});

export const lang = Type.String({
  minLength: 2,
  maxLength: 35,
  description:
    'Lists only pages that say they are in this language. Only its primary subtag counts: en-US is asked as en.',
});

/** What pages are known by: `en` of `en-US`. */
export function primaryLanguage(tag: string): string {
  return tag.toLowerCase().split(/[-_]/, 1)[0]!;
}

export const clustering = (more: string) =>
  Type.String({
    maxLength: 20,
    description:
      'For by=copy, one of the clusterings that GET /index names: 0.9 joins pages of that resemblance, 0.8c pages ' +
      `of which that share is in the other. ${more}`,
  });
