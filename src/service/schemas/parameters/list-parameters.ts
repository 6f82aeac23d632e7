/** What is asked for lists of related pages. */

import { Type } from '../../../lib/json-schema.ts';
import { isOfCopies, RELATION_NAMES } from '../../../relations/relations.ts';
import { flag } from '../fields.ts';
import { type Asked, optional, plainOf, withDefault } from '../parameter.ts';
import { cursor, documentUrl, missing, page } from './common-parameters.ts';
import { EXCLUDE_COPIES, LIST_FILTERS } from './list-filters.ts';

/** What a list of related pages is narrowed by, defaults filled in. */
export type Narrowing = Asked<typeof LIST_FILTERS>;

/** A list of which nothing is asked. */
export const PLAIN_LIST: Narrowing = plainOf(LIST_FILTERS);

export const RELATED = { url: page, ...LIST_FILTERS, missing: missing('404'), cursor };

const {
  explain: _explain,
  exclude_copies: _excludeCopies,
  fields: _fields,
  facets: _facets,
  ...fragmentFilters
} = LIST_FILTERS;

export const RELATED_HTML = {
  url: page,
  ...fragmentFilters,
  exclude_copies: optional(
    flag(
      `${EXCLUDE_COPIES} By default true, except for by=${RELATION_NAMES.filter(isOfCopies).join(' and ')}.`,
    ),
  ),
  heading: optional(
    Type.String({
      maxLength: 200,
      description:
        'Heading of the section; an empty one leaves it out. By default "Related pages", in the language of the page.',
    }),
  ),
  missing: missing('200'),
};

const { clustering: _clustering, ...documentFilters } = LIST_FILTERS;

export const SIMILAR = {
  url: documentUrl,
  ...documentFilters,
  exact: withDefault(
    false,
    flag(
      'Compares with every page. By default a search that would take more than some 2 ms, as of long documents in ' +
        'an index of some 100,000 pages, is made in a quicker way that may miss about one in a hundred of the ' +
        'nearest pages; the similarities are exact either way. For copies: compares with every text by its sketch, ' +
        'not only with those that share the shingles that are looked up. Refused for relations by links, which compare with every page as they are.',
    ),
    { flag: ['', 'compare with every page; otherwise a large index is searched in a quicker way'] as const },
  ),
  cursor,
};

export type RelatedQuery = Asked<typeof RELATED>;
export type SimilarQuery = Asked<typeof SIMILAR>;
