/** What the service is asked by, from the schemas of the service: `npm run openapi` writes this file. */

export interface ListOptions {
  /** The relation asked about. An index holds one or more of them, and those by links where it has links; see GET /index. */
  readonly by?: "topic" | "copy" | "cocitation" | "coupling" | "companion" | undefined;
  /** Length of the list at most. */
  readonly limit?: number | undefined;
  /** Leaves out pages less similar than this. Refused for a relation of scores. */
  readonly min_similarity?: number | undefined;
  /** Whether pages of the same site (registrable domain) are listed. */
  readonly same_site?: "include" | "exclude" | "only" | undefined;
  /** Lists only pages of this site (registrable domain). */
  readonly site?: string | undefined;
  /** Pages of one site in the list at most. */
  readonly max_per_site?: number | undefined;
  /** A page that must not be listed; repeat it for several. */
  readonly exclude?: string[] | undefined;
  /** Leaves out what the page links to already. */
  readonly exclude_linked?: boolean | undefined;
  /** Leaves out near copies of the page itself and of pages further up in the list: copies that resemble it at 0.9 or more, and copies of the same title on the same site. An index built without copies knows none. */
  readonly exclude_copies?: boolean | undefined;
  /** only: leaves out pages that are known by links alone, whose text was never read. */
  readonly fetched?: "include" | "only" | undefined;
  /** Lists only pages in this language, and those that do not say in which they are. Only its primary subtag counts: en-US is asked as en. */
  readonly lang?: string | undefined;
  /** Lists only pages that say they were published at this time or later: a date, which begins at midnight UTC, or a time with its zone, such as 2026-01-02T10:00:00Z. Pages that say nothing are left out. */
  readonly published_after?: string | undefined;
  /** For by=copy, one of the clusterings that GET /index names: 0.9 joins pages of that resemblance, 0.8c pages of which that share is in the other. Lists the pages of its cluster, however much they resemble it, at most the 1,000 nearest to the center; without it, the pages that resemble it. */
  readonly clustering?: string | undefined;
  /** Adds what a page says of itself: image, description, published_at, modified_at, each where it says it; and passage, how its own text begins, where it has no description. */
  readonly cards?: boolean | undefined;
  /** score: by similarity and by how near the neighbors of a page are too. similarity: by similarity alone. Copies, lists by links, and indexes of the printed profile, are listed by similarity either way. */
  readonly rank?: "score" | "similarity" | undefined;
  /** Adds `why`: the shared terms and their shares of the overlap, or the links in common. Copies have none: POST /compare shows what they share. */
  readonly explain?: boolean | undefined;
}

export interface RelatedOptions extends ListOptions {
  /** Status for a page that is not in the index: 404, or 200 with an empty answer, which a browser does not report as an error. */
  readonly missing?: "200" | "404" | undefined;
  /** The `next` of the answer before. Bound to the generation of the index: an older one gets 410. */
  readonly cursor?: string | undefined;
}

export interface BatchOptions extends ListOptions {
  /** Adds `groups`: which of the pages are copies of each other, as POST /group says. */
  readonly group?: boolean | undefined;
}

export interface SimilarOptions extends Omit<ListOptions, 'clustering'> {
  /** Compares with every page. By default a search that would take more than some 2 ms, as of long documents in an index of some 100,000 pages, is made in a quicker way that may miss about one in a hundred of the nearest pages; the similarities are exact either way. For copies: compares with every text by its sketch, not only with those that share the shingles that are looked up. Refused for relations by links, which compare with every page as they are. */
  readonly exact?: boolean | undefined;
  /** The `next` of the answer before. Bound to the generation of the index: an older one gets 410. */
  readonly cursor?: string | undefined;
}

export interface SearchOptions {
  /** Lists only pages of this host and its subdomains, as site:host in `q` does. */
  readonly site?: string | undefined;
  /** Lists only pages that say they are in this language. Only its primary subtag counts: en-US is asked as en. */
  readonly lang?: string | undefined;
  /** copies: of near copies only the best is listed, with their count. */
  readonly group?: "copies" | "none" | undefined;
  /** Counts the pages found by site, by language, or repeated by both. */
  readonly facets?: ("site" | "lang")[] | undefined;
  /** Length of the list at most. */
  readonly limit?: number | undefined;
  /** The `next` of the answer before. Bound to the generation of the index: an older one gets 410. */
  readonly cursor?: string | undefined;
}

export interface SuggestOptions {
  /** Suggestions at most. */
  readonly limit?: number | undefined;
}

export interface ClusterOptions {
  /** The relation asked about. Relations by links have no clusters. */
  readonly by?: "topic" | "copy" | undefined;
  /** For by=copy, one of the clusterings that GET /index names: 0.9 joins pages of that resemblance, 0.8c pages of which that share is in the other. By default the first. */
  readonly clustering?: string | undefined;
  /** Of copies the one nearest to this URL is named as `best`: on its site, else under the most equal last labels of the host, else with the most equal first parts of the path. A page that is lost is best only where all are. */
  readonly near?: string | undefined;
  /** Of copies one in this language is named as `best`, of several the nearest to `near`. Only the primary subtag counts. */
  readonly near_lang?: string | undefined;
  /** Length of the list at most. */
  readonly limit?: number | undefined;
  /** The `next` of the answer before. Bound to the generation of the index: an older one gets 410. */
  readonly cursor?: string | undefined;
}

export interface ClustersOptions {
  /** The relation asked about. Relations by links have no clusters. */
  readonly by?: "topic" | "copy" | undefined;
  /** Largest first, or by label from A to Z. */
  readonly sort?: "size" | "label" | undefined;
  /** only: leaves out clusters around a page that is known by links alone; what holds these together is often one link text that a site repeats. */
  readonly fetched?: "include" | "only" | undefined;
  /** Lists only clusters whose label has this in it. */
  readonly label?: string | undefined;
  /** Members to name of each cluster, beside its center. */
  readonly examples?: number | undefined;
  /** Of topics: 0 is the finest; higher is broader. */
  readonly level?: number | undefined;
  /** For by=copy, one of the clusterings that GET /index names: 0.9 joins pages of that resemblance, 0.8c pages of which that share is in the other. By default the first. */
  readonly clustering?: string | undefined;
  /** Length of the list at most. */
  readonly limit?: number | undefined;
  /** The `next` of the answer before. Bound to the generation of the index: an older one gets 410. */
  readonly cursor?: string | undefined;
}

export interface MembersOptions {
  /** Length of the list at most. */
  readonly limit?: number | undefined;
  /** The `next` of the answer before. Bound to the generation of the index: an older one gets 410. */
  readonly cursor?: string | undefined;
}

export interface MovedOptions extends LostOptions {
  /** The sweep whose text of the page is sought, as GET /history names it. By default of a page that is in use the latest text that is not there any more, else the last. */
  readonly capture?: string | undefined;
  /** Status for a page that is not in the index: 404, or 200 with an empty answer, which a browser does not report as an error. */
  readonly missing?: "200" | "404" | undefined;
}

export interface LostOptions {
  /** Least share of the lost text from which a page that holds it is a candidate without other evidence. */
  readonly min_containment?: number | undefined;
  /** Length of the list at most. */
  readonly limit?: number | undefined;
  /** The `next` of the answer before. Bound to the generation of the index: an older one gets 410. */
  readonly cursor?: string | undefined;
}

export interface ChangesOptions {
  /** A sweep as GET /index names it. By default the last. */
  readonly sweep?: string | undefined;
  /** Lists only pages with such news; by default with any. */
  readonly news?: ("new" | "minor" | "major" | "rewritten" | "lost")[] | undefined;
  /** Length of the list at most. */
  readonly limit?: number | undefined;
  /** The `next` of the answer before. Bound to the generation of the index: an older one gets 410. */
  readonly cursor?: string | undefined;
}

export interface SitesOptions {
  /** Lists only sites with this in their names. */
  readonly name?: string | undefined;
  /** Length of the list at most. */
  readonly limit?: number | undefined;
  /** The `next` of the answer before. Bound to the generation of the index: an older one gets 410. */
  readonly cursor?: string | undefined;
}

export interface SitePagesOptions {
  /** Lists only pages that say they are in this language. Only its primary subtag counts: en-US is asked as en. */
  readonly lang?: string | undefined;
  /** only: leaves out pages that are known by links alone. */
  readonly fetched?: "include" | "only" | undefined;
  /** Length of the list at most. */
  readonly limit?: number | undefined;
  /** The `next` of the answer before. Bound to the generation of the index: an older one gets 410. */
  readonly cursor?: string | undefined;
}

export interface HistoryOptions {
  /** Length of the list at most. */
  readonly limit?: number | undefined;
  /** The `next` of the answer before. Bound to the generation of the index: an older one gets 410. */
  readonly cursor?: string | undefined;
}

export interface CoverOptions {
  /** Least share of the text that a page must add. */
  readonly min_share?: number | undefined;
  /** Length of the list at most. */
  readonly limit?: number | undefined;
}

export interface CompareOptions {
  /** Adds the texts that the offsets of the passages count in. */
  readonly include_text?: boolean | undefined;
}

export interface GivenDocument {
  /** The document as HTML. */
  readonly html?: string | undefined;
  /** The document as plain text. */
  readonly text?: string | undefined;
  /** Alone: a page of the index. Beside html or text: the URL of the document, which is then not listed. */
  readonly url?: string | undefined;
  /** Wins over the title in the HTML. */
  readonly title?: string | undefined;
  /** What relative links in the HTML start from; `url` by default. */
  readonly base_url?: string | undefined;
  /** Features of your own beside html or text, as a JSONL record gives them: {"tags": {"roses": 1}}, 10,000 at most. Groups that the index has no part for have no effect. A page that the index knows keeps its own where none are sent. */
  readonly features?: Record<string, unknown> | undefined;
}

export interface ComparedDocument {
  /** The document as HTML. */
  readonly html?: string | undefined;
  /** The document as plain text. */
  readonly text?: string | undefined;
  /** Alone: a page of the index. Beside html or text: the URL of the document, which is then not listed. */
  readonly url?: string | undefined;
  /** Wins over the title in the HTML. */
  readonly title?: string | undefined;
  /** What relative links in the HTML start from; `url` by default. */
  readonly base_url?: string | undefined;
  /** Beside `url` alone: the sweep whose text of the page is compared, as GET /history names it. */
  readonly capture?: string | undefined;
}

export type GroupedResult = string | {
  readonly url: string;
  /** Compared in place of what the index holds. */
  readonly text?: string | undefined;
};
