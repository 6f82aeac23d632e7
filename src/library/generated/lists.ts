/** Answers with lists and clusters, from the schemas of the service: `npm run openapi` writes this file. */

interface ParameterFault {
  readonly parameter: string;
  readonly detail: string;
  /** As it came; null where nothing came. */
  readonly received: unknown;
  /** What is allowed, in words or as a list. */
  readonly allowed: unknown;
}

export interface Problem {
  /** A relative URI that ends in the code. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** The request that met the problem. */
  readonly instance: string;
  readonly code: string;
  readonly errors?: ParameterFault[] | undefined;
  /** For page-not-indexed: pages of the index whose URLs are nearest, of the same host; at most three. */
  readonly nearest?: string[] | undefined;
}

interface Near {
  /** How many of its 20 nearest pages are among the pages nearest to the one asked about. */
  readonly count: number;
  /** The nearest of these, at most three. */
  readonly urls: string[];
}

export interface RelatedBatchAnswer {
  readonly results: (RelatedAnswer | {
    readonly url: string;
    readonly error: Problem;
  })[];
  readonly groups?: ResultGroup[] | null | undefined;
  /** Only there where shards of the index could not be asked: what they have is missing. Not cached. */
  readonly partial?: true | undefined;
  /** Their numbers; there with `partial`. */
  readonly lost_shards?: number[] | undefined;
}

interface RelatedPage extends PageName {
  /** For topic: weighted Jaccard of the two bags. For copy: resemblance, the share of all shingles of both texts that both have. For cocitation: Jaccard of the sets of pages that link to the two. For coupling: Jaccard of the sets of pages that the two link to. For companion: no similarity but a score, the authority in the graph of links around the page as a share of the greatest; pages below a millionth of it are not listed. At most six decimals. */
  readonly similarity: number;
  /** Which kind of figure `similarity` is. score: no similarity, but what the list is ordered by as a share of its greatest; not to be compared with other lists. */
  readonly measure: "exact" | "estimate" | "score";
  readonly containment?: ResultContainment | undefined;
  readonly same_site: boolean;
  /** With explain: what the list is ordered by, the similarity and the votes of the neighbors of this page. A page that is clearly the nearest stands first whatever its score. Pages beyond the stored neighbors have none and follow by similarity. */
  readonly score?: number | undefined;
  readonly why?: Why | undefined;
  /** Absolute http or https URL of a picture. */
  readonly image?: string | undefined;
  /** At most 300 characters. */
  readonly description?: string | undefined;
  /** As the page says: a date, or a time in UTC. */
  readonly published_at?: string | undefined;
  /** The same. */
  readonly modified_at?: string | undefined;
  /** Of a page without a description, where the index keeps texts: how its own text begins, outside the template of its host; at most 200 characters. */
  readonly passage?: string | undefined;
}

export interface RelatedAnswer {
  readonly url: string;
  readonly title: string;
  readonly by: "topic" | "copy" | "cocitation" | "coupling" | "companion";
  /** The state of the index that answered. */
  readonly generation: string;
  readonly related: RelatedPage[];
  /** Why nothing is listed; null where something is. not_indexed: with missing=200, the page is not in the index; without it that is a problem. gone: a sweep found the page gone, so it has no text to compare; GET /moved says where that went. too_little_text: fewer than three different words; for copies, too few for a shingle. no_known_words: the index has none of its words. no_links: the page has no links of the kind that the relation goes by. below_threshold: no page is similar enough. template: for copies, pages are similar enough by the template of their host alone, and left_out counts them. excluded: the parameters leave out all that are. */
  readonly empty_reason: "not_indexed" | "gone" | "too_little_text" | "no_known_words" | "no_links" | "below_threshold" | "template" | "excluded" | null;
  /** The cursor of what follows, or null. */
  readonly next: string | null;
  /** For copy: false where a bound on the search left something out. */
  readonly complete?: boolean | undefined;
  /** For copy: texts that share wording and were not compared, as far as they are known, and, beyond the first 4,000 pages of one wording, those that have it or had it in an earlier sweep; where empty_reason is template, pages that share little else. POST /similar with exact compares all; GET /cluster lists all pages of a cluster. */
  readonly left_out?: number | undefined;
  /** Only there where shards of the index could not be asked: what they have is missing. Not cached. */
  readonly partial?: true | undefined;
  /** Their numbers; there with `partial`. */
  readonly lost_shards?: number[] | undefined;
}

export interface SimilarAnswer extends Omit<RelatedAnswer, 'url'> {
  readonly url: string | null;
  /** What the document was understood to be about. */
  readonly terms: Term[];
  /** Where it would fall: the cluster of the nearest page, if that is near enough. */
  readonly cluster: ClusterSummary | null;
}

interface Why {
  /** For relations by words: those of the greatest shares, at most ten. */
  readonly terms?: SharedTerm[] | undefined;
  /** Share of all else that both have, links included: with the shares of `terms` it makes 1. */
  readonly remainder?: number | undefined;
  readonly near?: Near | undefined;
  /** Pages that link to both, or that both link to: for relations by links those with the fewest links first, for topic, where links are part of what pages are compared by, those of the greatest shares first; for scores, pages around the one asked about that link to this one, the best hub first. At most three. */
  readonly citations?: string[] | undefined;
  /** How many of these there are. */
  readonly citation_count?: number | undefined;
}

export interface SharedTerm {
  readonly term: string;
  /** Of what it is: content (the text), title, heading, bigram (two neighboring words of the text), anchor (words around links to the page), out (pages that it links to), in (pages that link to it), or a group of features of your own. */
  readonly part: string;
  /** Share of the overlap of the two bags. */
  readonly share: number;
}

export interface Term {
  /** A word; of the part bigram two; of the parts out and in the title of a page. */
  readonly term: string;
  /** Of what it is: content (the text), title, heading, bigram (two neighboring words of the text), anchor (words around links to the page), out (pages that it links to), in (pages that link to it), or a group of features of your own. */
  readonly part: string;
  /** Share of the weight of the whole bag. */
  readonly weight: number;
  /** Of the parts out and in: the page. */
  readonly url?: string | undefined;
}

export interface ClusterListAnswer {
  readonly by: "topic" | "copy" | "cocitation" | "coupling" | "companion";
  readonly level: number;
  readonly sort: "size" | "label";
  /** The state of the index that answered. */
  readonly generation: string;
  /** Clusters at this level, as far as they are asked for. */
  readonly total: number;
  readonly clusters: ClusterSummary[];
  /** The cursor of what follows, or null. */
  readonly next: string | null;
  /** Only there where shards of the index could not be asked: what they have is missing. Not cached. */
  readonly partial?: true | undefined;
  /** Their numbers; there with `partial`. */
  readonly lost_shards?: number[] | undefined;
}

interface ClusterMember extends PageName {
  /** To the center; in a clustering by containment the share of the one that is in the other. */
  readonly similarity: number;
}

export interface ClusterOfPageAnswer {
  readonly url: string;
  readonly title: string;
  readonly by: "topic" | "copy" | "cocitation" | "coupling" | "companion";
  /** The state of the index that answered. */
  readonly generation: string;
  /** The finest that the page is in; of copies, the one of the clustering asked for. */
  readonly cluster: ClusterSummary | null;
  /** With near or near_lang: the copy that is best there, of the 1,000 members nearest to the center; null where the page has no copies. */
  readonly best?: PageName | null | undefined;
  /** The center first, then the nearest to it. */
  readonly members: ClusterMember[];
  /** All that the page lies in, fine to broad; of copies, its cluster in each clustering. */
  readonly levels: ClusterSummary[];
  /** The cursor of what follows, or null. */
  readonly next: string | null;
  /** Only there where shards of the index could not be asked: what they have is missing. Not cached. */
  readonly partial?: true | undefined;
  /** Their numbers; there with `partial`. */
  readonly lost_shards?: number[] | undefined;
}

export interface ClusterAnswer extends ClusterSummary {
  /** The state of the index that answered. */
  readonly generation: string;
  /** Of a topic: the finer ones right below it, the 100 largest, largest first. */
  readonly children: ClusterSummary[];
  /** The center first, then the nearest to it. */
  readonly members: ClusterMember[];
  /** The cursor of what follows, or null. */
  readonly next: string | null;
  /** Only there where shards of the index could not be asked: what they have is missing. Not cached. */
  readonly partial?: true | undefined;
  /** Their numbers; there with `partial`. */
  readonly lost_shards?: number[] | undefined;
}

interface ClusterSummary {
  /** Stable across rebuilds for as long as the center survives. */
  readonly id: string;
  readonly by: "topic" | "copy" | "cocitation" | "coupling" | "companion";
  /** Of copies: the number of the clustering, from 0. */
  readonly level: number;
  readonly clustering: string | null;
  readonly center: PageName;
  readonly size: number;
  /** Least similarity of a member to the center; 1 where it is alone. */
  readonly radius: number;
  /** Top terms. */
  readonly label: string;
  /** Of GET /clusters with `examples`: the members nearest to the center, without it. */
  readonly examples?: PageName[] | undefined;
}

interface PageName {
  readonly url: string;
  readonly title: string;
  /** False for a page that is known by links alone. */
  readonly fetched: boolean;
}

export interface ResultContainment {
  /** Share of the page or document asked about that is in the result. */
  readonly asked_in_result: number;
  /** Share of the result that is in the page or document asked about. */
  readonly result_in_asked: number;
}

export interface ResultGroup {
  readonly representative: {
    /** Position in the list that was sent, from 0. */
    readonly rank: number;
    readonly url: string;
    readonly title: string | null;
  };
  /** The representative first, in the order of the list. */
  readonly members: ({
    /** Position in the list that was sent, from 0. */
    readonly rank: number;
    readonly url: string;
    readonly title: string | null;
    readonly resemblance: number | null;
    readonly measure: "exact" | "estimate" | null;
  })[];
  /** With near or near_lang: the member that is best there, of those that the index has; else the representative. */
  readonly best?: {
    /** Position in the list that was sent, from 0. */
    readonly rank: number;
    readonly url: string;
    readonly title: string | null;
  } | undefined;
  /** Members besides the representative. */
  readonly hidden_count: number;
  /** The index has no text of it, and none was sent: a group of one. */
  readonly unknown: boolean;
}
