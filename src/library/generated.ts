/** Questions, answers and settings, from the schemas of the service and the rows of options: `npm run openapi` writes this file. */

interface FromShards {
  /** Only there where shards of the index could not be asked: what they have is missing. Not cached. */
  readonly partial?: true | undefined;
  /** Their numbers; there with `partial`. */
  readonly lost_shards?: number[] | undefined;
}

interface Answer extends FromShards {
  /** The state of the index that answered. */
  readonly generation: string;
}

interface ListAnswer extends Answer {
  /** The cursor of what follows, or null. */
  readonly next: string | null;
}

interface Card {
  /** Absolute http or https URL of a picture. */
  readonly image?: string | undefined;
  /** At most 300 characters. */
  readonly description?: string | undefined;
  /** As the page says: a date, or a time in UTC. */
  readonly published_at?: string | undefined;
  /** The same. */
  readonly modified_at?: string | undefined;
  /** Fields of its owner: texts, numbers, true or false, or lists of these. */
  readonly fields?: Record<string, string | number | boolean | (string | number | boolean)[]> | undefined;
}

interface ListCard extends Card {
  /** Of a page without a description, where the index keeps texts: how its own text begins, outside the template of its host; at most 200 characters. */
  readonly passage?: string | undefined;
}

interface PageTitle {
  readonly url: string;
  readonly title: string;
}

interface Seen {
  readonly sweep: string;
  /** When it was fetched; null where the source gave no time. */
  readonly fetched_at: string | null;
  /** The archived capture, where the service knows an archive (akin serve --replay-url). */
  readonly replay_url?: string | null | undefined;
}

interface KnownState {
  /** current: there is a page at this URL, as far as the sweeps know. not_seen_since: a later sweep has all there was of its site or host (added as the whole of it, or a crawl that left nothing out), and did not meet it; any other sweep says nothing of pages that it does not have. never_read: known by links alone. gone: a sweep found it gone (404, 410) or leading elsewhere, and none has had it since. not_indexed: with missing=200, the index does not know it. */
  readonly state: "current" | "not_seen_since" | "never_read" | "gone" | "not_indexed";
  readonly last_seen: Seen | null;
}

interface Subject extends PageTitle, KnownState {
  /** The state of the index that answered. */
  readonly generation: string;
  /** Whether `state` is gone. */
  readonly gone: boolean;
}

interface Ranked {
  /** Position in the list that was sent, from 0. */
  readonly rank: number;
  readonly url: string;
  readonly title: string | null;
}

interface Paging {
  /** Length of the list at most. */
  readonly limit?: number | undefined;
  /** The `next` of the answer before. Bound to the generation of the index: an older one gets 410. */
  readonly cursor?: string | undefined;
}

interface BestCopy {
  /** Of copies the one nearest to this URL is named as `best`: on its site, else under the most equal last labels of the host, else with the most equal first parts of the path. A page that is lost is best only where all are. */
  readonly near?: string | undefined;
  /** Of copies one in this language is named as `best`, of several the nearest to `near`. Only the primary subtag counts. */
  readonly near_lang?: string | undefined;
}

interface ParameterFault {
  readonly parameter: string;
  readonly detail: string;
  /** What came, as it is read, cut where it is long, of vectors their names; null where nothing came. */
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

interface FieldFacet {
  readonly name: string;
  /** Those of most pages first, at most 100. */
  readonly values: ({
    readonly value: string | number | boolean;
    readonly pages: number;
  })[];
  /** Pages with values that are not listed, for each of these. */
  readonly rest: number;
  /** Pages that do not have the field. */
  readonly without: number;
  /** Pages that were looked at: the first 100 of a list, the best 1,000 that a search found. */
  readonly counted: number;
}

interface NearByVectors {
  /** Their name. */
  readonly vectors: string;
  /** Their cosine, an estimate. */
  readonly similarity: number;
}

interface Near {
  /** How many of its 20 nearest pages are among the pages nearest to the one asked about. */
  readonly count: number;
  /** The nearest of these, at most three. */
  readonly urls: string[];
}

export interface RelatedBatchAnswer extends FromShards {
  readonly results: (RelatedAnswer | {
    readonly url: string;
    readonly error: Problem;
  })[];
  readonly groups?: ResultGroup[] | null | undefined;
}

interface RelatedPage extends ListCard, PageName {
  /** For topic: weighted Jaccard of the two bags. For copy: resemblance, the share of all shingles of both texts that both have. For own-features: weighted Jaccard of the features that their owner gave both, the weights as they are given. For meaning: cosine of the vectors that their owner gave both, of one name, each component rounded to one of 255 steps; 0 where it is negative. For cocitation: Jaccard of the sets of pages that link to the two. For coupling: Jaccard of the sets of pages that the two link to. For companion: no similarity but a score, the authority in the graph of links around the page as a share of the greatest; pages below a millionth of it are not listed. At most six decimals. */
  readonly similarity: number;
  /** Which kind of figure `similarity` is. score: no similarity, but what the list is ordered by as a share of its greatest; not to be compared with other lists. */
  readonly measure: "exact" | "estimate" | "score";
  readonly containment?: ResultContainment | undefined;
  readonly same_site: boolean;
  /** It stands here by a rule (PUT /rules), whatever its similarity. */
  readonly pinned?: true | undefined;
  /** It is not related: it fills the list, as `fallback` asked. */
  readonly fallback?: "site" | "recent" | undefined;
  /** With boost, what the first 32 pages are ordered by: similarity times freshness. Else with explain: what the list is ordered by, from the similarity, the Hellinger affinity, the cosine of vectors where lists go by them, and the votes of the neighbors of this page. A page that is clearly the nearest stands first whatever its score. Pages beyond the stored neighbors have none and follow by similarity. */
  readonly score?: number | undefined;
  readonly why?: Why | undefined;
}

export interface RelatedAnswer extends ListAnswer, PageTitle {
  readonly by: "topic" | "copy" | "own-features" | "meaning" | "cocitation" | "coupling" | "companion";
  readonly related: RelatedPage[];
  /** Why nothing is listed; null where something is. not_indexed: with missing=200, the page is not in the index; without it that is a problem. gone: a sweep found the page gone, so it has no text to compare; GET /moved says where that went. too_little_text: fewer than three different words, and nothing is like them; for copies, no word at all. no_known_words: each of its words is on no other page of the index, or on too many to tell pages apart. no_links: the page has no links of the kind that the relation goes by. no_features: its owner gave it no features. no_vector: its owner gave it no vector of the name. below_threshold: no page is similar enough. template: for copies, pages are similar enough by the template of their host alone, and left_out counts them. excluded: the parameters leave out all that are. */
  readonly empty_reason: "not_indexed" | "gone" | "too_little_text" | "no_known_words" | "no_links" | "no_features" | "no_vector" | "below_threshold" | "template" | "excluded" | null;
  /** In the order of names; left out where none was asked for. */
  readonly facets?: FieldFacet[] | undefined;
  /** With explain: the rules (PUT /rules) that hold for this list, where any do. */
  readonly rules?: {
    readonly pin: string[];
    readonly block: string[];
  } | undefined;
  /** For copy: false where a bound on the search left something out. For own-features: false where the build did not compare all that share a feature. For both: false where a shard is lost. */
  readonly complete?: boolean | undefined;
  /** For copy: texts that share wording and were not compared, as far as they are known, and, beyond the first 4,000 pages of one wording, those that have it or had it in an earlier sweep; where empty_reason is template, pages that share little else. POST /similar with exact compares all; GET /cluster lists all pages of a cluster. */
  readonly left_out?: number | undefined;
}

export interface RulesAnswer {
  /** In their one form. */
  readonly rules: ({
    readonly url?: string | undefined;
    readonly site?: string | undefined;
    readonly pin?: string[] | undefined;
    readonly block?: string[] | undefined;
  })[];
  /** URLs of these that no page of the index has now, or one that is gone: rules for them wait for it. */
  readonly not_indexed: string[];
}

export interface SimilarAnswer extends Omit<RelatedAnswer, 'url'> {
  readonly url: string | null;
  /** What the document was understood to be about. */
  readonly terms: Term[];
  /** Where it would fall: the cluster of the nearest page, if that is near enough. */
  readonly cluster: ClusterSummary | null;
}

interface Why {
  /** For relations by words or own features: those of the greatest shares, at most ten. */
  readonly terms?: SharedTerm[] | undefined;
  /** Share of all else that both have, links included: with the shares of `terms` it makes 1. */
  readonly remainder?: number | undefined;
  readonly near?: Near | undefined;
  readonly meaning?: NearByVectors | undefined;
  /** Where neighbors lend words (--lend): words that both have in common with what these lend to them, the heaviest first, at most five. A page with no `terms` is near by way of these pages alone. */
  readonly through?: LentTerm[] | undefined;
  /** Of a list by examples: the similarity of this page to each of them. */
  readonly like?: number[] | undefined;
  /** Of a page that is pinned: whether the rule is for the page asked about, for its site or for all pages. */
  readonly pinned_for?: "page" | "site" | "all" | undefined;
  /** The same for each counter-example. */
  readonly unlike?: number[] | undefined;
  /** Pages that link to both, or that both link to: for relations by links those with the fewest links first, for topic, where links are part of what pages are compared by, those of the greatest shares first; for scores, pages around the one asked about that link to this one, the best hub first. At most three. */
  readonly citations?: string[] | undefined;
  /** How many of these there are. */
  readonly citation_count?: number | undefined;
}

interface LentTerm {
  readonly term: string;
  /** Of what it is: content (the text), title, heading, bigram (two neighboring words of the text), anchor (words around links to the page), out (pages that it links to), in (pages that link to it), or a group of features of your own. */
  readonly part: string;
  /** The pages that lend it, the nearest first, at most three. */
  readonly urls: string[];
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

export interface ClusterListAnswer extends ListAnswer {
  readonly by: "topic" | "copy" | "own-features";
  readonly level: number;
  readonly sort: "size" | "label";
  /** Clusters at this level, as far as they are asked for. */
  readonly total: number;
  readonly clusters: ClusterSummary[];
}

interface ClusterMember extends PageName {
  /** To the center; in a clustering by containment the share of the one that is in the other. */
  readonly similarity: number;
}

export interface ClusterOfPageAnswer extends ListAnswer, PageTitle {
  readonly by: "topic" | "copy" | "own-features";
  /** The finest that the page is in; of copies, the one of the clustering asked for. */
  readonly cluster: ClusterSummary | null;
  /** With near or near_lang: the copy that is best there, of the 1,000 members nearest to the center; null where the page has no copies. */
  readonly best?: PageName | null | undefined;
  /** The center first, then the nearest to it. */
  readonly members: ClusterMember[];
  /** All that the page lies in, fine to broad; of copies, its cluster in each clustering. */
  readonly levels: ClusterSummary[];
}

export interface ClusterAnswer extends ClusterSummary, ListAnswer {
  /** Of a topic: the finer ones right below it, the 100 largest, largest first. */
  readonly children: ClusterSummary[];
  /** The center first, then the nearest to it. */
  readonly members: ClusterMember[];
}

interface ClusterSummary {
  /** Stable across rebuilds for as long as the center survives. */
  readonly id: string;
  readonly by: "topic" | "copy" | "own-features";
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

interface PageName extends PageTitle {
  /** False for a page that is known by links alone. */
  readonly fetched: boolean;
}

export interface FoldAnswer {
  readonly id: string;
  /** failed: detail says why. The pages wait for the next fold. */
  readonly state: "running" | "done" | "failed";
  /** Pages up to this number are in the index once it is done. */
  readonly sequence: number;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly detail: string | null;
}

interface LineFault {
  readonly line: number;
  readonly url: string | null;
  readonly code: string;
  readonly detail: string;
}

export interface PendingAnswer {
  /** Pages that are kept, and not yet in the index. */
  readonly count: number;
  /** Their size. */
  readonly bytes: number;
  readonly oldest: string | null;
  /** Of records that are damaged and were passed over; hand their pages over again. */
  readonly damaged: number;
  readonly folding: string | null;
  /** Number of the last page that was kept. It only grows. */
  readonly sequence: number;
}

export interface WrittenPageAnswer {
  /** Canonical. */
  readonly url: string;
  /** unchanged: its title and text are as before; other links and fields and a later date are kept all the same. older: by its fetched_at, and not kept. */
  readonly state: "added" | "changed" | "unchanged" | "older" | "deleted";
  /** Number of the last page that was kept. It only grows. */
  readonly sequence: number;
}

export interface WrittenPagesAnswer {
  /** Lines with a page, of which the counts are; fewer than were sent where stopped is not null. */
  readonly received: number;
  /** New pages. */
  readonly added: number;
  /** Pages whose title or text is another one. */
  readonly changed: number;
  /** Pages of the same title and text. */
  readonly unchanged: number;
  /** Pages that are there in a later state. */
  readonly older: number;
  /** Pages that are gone. */
  readonly deleted: number;
  /** Lines that were not kept. */
  readonly failed: number;
  /** Of the first 100 of these. */
  readonly errors: LineFault[];
  readonly stopped: {
    /** From 1 on. */
    readonly line: number;
    /** Of the problem: too-many-pending, journal-full, ... */
    readonly code: string;
    readonly detail: string;
  } | null;
  /** Number of the last page that was kept. It only grows. */
  readonly sequence: number;
}

interface ComparedText {
  readonly url: string | null;
  readonly title: string;
  /** Whether the text is the one that the index holds. */
  readonly indexed: boolean;
  readonly token_count: number;
  /** Distinct shingles. */
  readonly shingle_count: number;
  readonly text?: string | null | undefined;
}

export interface ComparisonAnswer extends FromShards {
  readonly a: ComparedText;
  readonly b: ComparedText;
  readonly generation: string | null;
  /** identical: title and text are the same. lexically_equal: the same words in the same order. shingle_equal: the same shingles. Where the index keeps no texts, identical ones are called lexically_equal. */
  readonly equality: "identical" | "lexically_equal" | "shingle_equal" | "different";
  readonly topic: {
    /** Weighted Jaccard of the two bags. */
    readonly similarity: number;
    /** estimate: a lost shard may have a page that a document links to, or is. */
    readonly measure: "exact" | "estimate";
    /** Words that both have, those of the greatest shares of the overlap, at most ten. */
    readonly terms: SharedTerm[];
  } | null;
  readonly features: {
    /** Weighted Jaccard of the features that owners gave both; features is null where one has none. */
    readonly similarity: number;
    /** estimate: a lost shard may have a page that a document links to, or is. */
    readonly measure: "exact" | "estimate";
    /** Features that both have, those of the greatest shares of the overlap, at most ten. */
    readonly terms: SharedTerm[];
  } | null;
  readonly meaning: {
    /** The name of the vectors. */
    readonly vector: string;
    readonly similarity: number;
    readonly measure: "estimate";
  }[] | null;
  /** Exact where all shingles of both texts are at hand; else estimated from samples of them. */
  readonly measure: "exact" | "estimate";
  readonly resemblance: Estimate;
  /** Share of the shingles of the one that are in the other. */
  readonly containment: {
    readonly a_in_b: Estimate;
    readonly b_in_a: Estimate;
  };
  readonly edit_distance: {
    readonly value: number;
    /** false: the search was cut; the distance is value or more. */
    readonly exact: boolean;
  } | null;
  readonly segments: {
    /** Different ones of a. */
    readonly a: number;
    /** Different ones of b. */
    readonly b: number;
    /** Those that both have, word for word. */
    readonly shared: number;
  } | null;
  readonly passages: SharedPassage[] | null;
  readonly passage_count: number | null;
  readonly passages_missing: "text_not_kept" | "text_too_long" | null;
}

interface CoverPage extends PageTitle {
  /** Share of the text that it adds to what the pages before it hold. */
  readonly share: number;
  /** Share of the text that it holds by itself. */
  readonly holds: number;
}

export interface CoverAnswer extends Answer {
  /** Different shingles of the text. */
  readonly shingle_count: number;
  /** In the order in which they are taken: each adds most to those before it, ties by URL. */
  readonly pages: CoverPage[];
  /** Share of the text that none of these pages holds; 1 for a text without words. */
  readonly remainder: number;
  /** Exact where all shingles of both texts are at hand; else estimated from samples of them. */
  readonly measure: "exact" | "estimate";
  /** False where a bound on the search, or a lost shard, left something out. */
  readonly complete: boolean;
}

interface Estimate {
  readonly value: number;
  /** 0 where the value is exact. */
  readonly standard_error: number;
}

export interface GroupsAnswer extends Answer {
  readonly by: "copy";
  readonly threshold: number;
  /** Of all groups. */
  readonly hidden_count: number;
  /** In the order of their representatives. */
  readonly groups: ResultGroup[];
}

export interface ResultContainment {
  /** Share of the page or document asked about that is in the result. */
  readonly asked_in_result: number;
  /** Share of the result that is in the page or document asked about. */
  readonly result_in_asked: number;
}

export interface ResultGroup {
  readonly representative: Ranked;
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
  readonly best?: Ranked | undefined;
  /** Members besides the representative. */
  readonly hidden_count: number;
  /** The index has no text of it, and none was sent: a group of one. */
  readonly unknown: boolean;
}

interface SharedPassage {
  /** UTF-16 units of the text, end exclusive. */
  readonly a: {
    readonly start: number;
    readonly end: number;
  };
  /** UTF-16 units of the text, end exclusive. */
  readonly b: {
    readonly start: number;
    readonly end: number;
  };
  readonly token_count: number;
}

interface Capture extends Seen {
  /** Of title and text. */
  readonly digest: string;
  readonly token_count: number;
  /** Against the capture before. identical: title and text are the same. lexically_equal: the same words in the same order (another title, punctuation, case). shingle_equal: the same shingles in another order or number. minor: resemblance of 0.9 or more. major: of 0.5 or more. rewritten: less. */
  readonly changed: "first" | "identical" | "lexically_equal" | "shingle_equal" | "minor" | "major" | "rewritten";
  readonly resemblance: number | null;
  readonly containment: {
    /** Share of the text before that is still here. */
    readonly before_in_this: number;
    readonly this_in_before: number;
  } | null;
  readonly measure: "exact" | "estimate" | null;
}

export interface ChangesAnswer extends ListAnswer {
  /** The sweep that is asked about, against all before it. */
  readonly sweep: string;
  /** In the order of their URLs. */
  readonly pages: ({
    readonly url: string;
    readonly title: string;
    /** new: no sweep before had it. minor, major, rewritten: its text against the one before, as GET /history says. lost: it is lost, and the sweep before this one was the last that had it. */
    readonly news: "new" | "minor" | "major" | "rewritten" | "lost";
    /** When it was fetched; null where the source gave no time. */
    readonly fetched_at: string | null;
    readonly resemblance: number | null;
  })[];
  /** Pages of the index that were looked at for this answer. */
  readonly looked_at: number;
}

export interface HistoryAnswer extends Subject, ListAnswer {
  /** Captures of the page. */
  readonly total: number;
  /** Oldest first. */
  readonly captures: Capture[];
}

interface LostPage extends PageTitle, KnownState {
  readonly candidate: MovedCandidate | null;
  /** False where a bound on the search, or a lost shard, left something out. */
  readonly complete: boolean;
}

export interface LostAnswer extends ListAnswer {
  /** In the order of their URLs. */
  readonly pages: LostPage[];
  /** Pages of the index that were looked at for this answer. */
  readonly looked_at: number;
}

interface MovedCandidate extends PageTitle, KnownState {
  /** redirect, canonical: the URL leads there. same_text: title and text were the same. resemblance: so much of the text. title: the same title. */
  readonly evidence: ("redirect" | "canonical" | "same_text" | "resemblance" | "title")[];
  readonly resemblance: number | null;
  readonly containment: ResultContainment | null;
  readonly measure: "exact" | "estimate" | null;
  /** Whether the text that it has now holds min_containment of the lost one. */
  readonly holds_now: boolean;
  /** now_at: the page is there and has 0.5 or more of the lost text, or the URL leads there and the page does not say something else. parts_in: it is there and has less of it, at least min_containment. perhaps: all else. gone: the candidate is lost itself. */
  readonly strength: "now_at" | "parts_in" | "perhaps" | "gone";
  /** Whether `state` is current; such candidates come first. */
  readonly current: boolean;
  readonly gone_since: {
    readonly sweep: string;
    /** When it was fetched; null where the source gave no time. */
    readonly fetched_at: string | null;
  } | null;
  readonly now_at: PageTitle | null;
  /** The longest passage of the lost text that it has now, cut to some 240 characters; of the first ten candidates, where the index keeps texts. */
  readonly passage: string | null;
}

export interface MovedAnswer extends Subject, ListAnswer {
  readonly lost: Seen | null;
  /** Likeliest first; never the page itself. Of a text that is still there, what else has it: it has not moved. */
  readonly candidates: MovedCandidate[];
  /** False where a bound on the search, or a lost shard, left something out. */
  readonly complete: boolean;
}

interface Facet {
  readonly name: "site" | "lang";
  /** Those of most pages first, at most 100. */
  readonly values: ({
    /** A site, or a language; null for pages that name none. */
    readonly value: string | null;
    readonly pages: number;
  })[];
  /** Pages with values that are not listed. */
  readonly rest: number;
}

interface SearchResult extends Card, PageName {
  /** Registrable domain. */
  readonly site: string;
  readonly lang: string | null;
  readonly snippet: Snippet;
  /** Near copies further down that are not listed, as far as they are among the 200 best or before the end of this page. */
  readonly copies: number;
}

export interface SearchAnswer extends ListAnswer {
  readonly query: string;
  /** Pages that match, copies included. */
  readonly total: number;
  /** Words that are on no page or hardly any, and what was looked for instead; a word that is on a page was looked for, too. */
  readonly corrected: {
    /** As it was typed. */
    readonly word: string;
    /** The word that was looked for. */
    readonly instead: string;
  }[];
  /** Words, phrases and hosts of the query that do not count, as they stand behind the 16 that do; only where there are some. */
  readonly left_out?: string[] | undefined;
  /** In the order asked for; left out where none was. */
  readonly facets?: (Facet | FieldFacet)[] | undefined;
  /** Best first; the best 1,000 can be had, copies that are folded not counted, of the best 4,000 pages. */
  readonly results: SearchResult[];
}

interface Snippet {
  /** A passage of the page, plain text; empty where no text is at hand. */
  readonly text: string;
  /** Where the words stand in it: UTF-16 offsets, start inclusive, end exclusive, ascending. */
  readonly marks: number[][];
}

export interface SuggestionsAnswer extends Answer {
  readonly query: string;
  /** Those of most pages first; empty where no word is begun, or none goes on so. */
  readonly suggestions: {
    /** The query with its last word made whole. */
    readonly text: string;
    /** Pages that have all its words. */
    readonly pages: number;
  }[];
}

interface SitePage extends ListCard, PageName {
  readonly lang: string | null;
}

export interface SitePagesAnswer extends ListAnswer {
  readonly site: string;
  /** In the order of their URLs, those that wait and were not there before come last; none where no page of the index is of this site. */
  readonly pages: SitePage[];
}

interface Site {
  /** Registrable domain. */
  readonly site: string;
  /** Pages that are known of it, also by links alone; without those that are gone. */
  readonly pages: number;
  /** Of them, those that were read. */
  readonly fetched_pages: number;
}

export interface SitesAnswer extends ListAnswer {
  /** Sites with `name` in their names. */
  readonly total: number;
  /** Those of most pages read first. */
  readonly sites: Site[];
}

export interface IndexAnswer extends Answer {
  readonly built_at: string;
  readonly akin_version: string;
  /** Without those that are gone. */
  readonly page_count: number;
  readonly fetched_page_count: number;
  readonly alias_count: number;
  /** Clusters by topic, on the finest level. */
  readonly cluster_count: number;
  readonly size_bytes: number;
  readonly relations: ({
    readonly by: "topic" | "copy" | "own-features" | "meaning" | "cocitation" | "coupling" | "companion";
    readonly profile: string;
    readonly measure: "exact" | "estimate";
    /** Neighbors stored for a page at most. */
    readonly neighbor_limit: number;
    /** Similarity below which nothing is listed. For copy, where excerpts are found, too, the least share of one of two texts that is in the other; their similarity may be less. */
    readonly floor: number;
    /** Where votes order lists: how candidates are found, and how near a page is. */
    readonly kernel?: "jaccard" | "bm25" | undefined;
    /** For copy: the clusterings side by side, the one by default first. */
    readonly clusterings?: ({
      readonly name: string;
      readonly measure: "resemblance" | "containment";
      /** Pairs at or above it are in one cluster. */
      readonly threshold: number;
      /** Clusters of two pages and more. */
      readonly cluster_count: number;
      /** Pages in them. */
      readonly page_count: number;
    })[] | undefined;
    /** Theoretical share of the pairs of a similarity that the sketches find. */
    readonly s_curve?: {
      readonly similarity: number;
      readonly recall: number;
    }[] | undefined;
  })[];
  /** Relations that are answered live from the links between pages; none in an index without links. */
  readonly link_relations: ("cocitation" | "coupling" | "companion")[];
  readonly sweeps: {
    readonly name: string;
    readonly record_count: number;
    readonly started_at: string;
    /** Sites of which the sweep was added as the whole state: what it does not have of them is gone. */
    readonly whole_site_count: number;
    /** Hosts of which its crawl left nothing out: what it does not have of them was not seen. */
    readonly crawled_host_count: number;
    /** Records that could not be used, by reason. */
    readonly skipped: Record<string, number>;
    /** Of these, files of a folder that are no pages, by extension. */
    readonly skipped_files: Record<string, number>;
  }[];
  /** The vectors that owners gave pages, by their names; lists go by them with by=meaning. */
  readonly vectors: ({
    readonly name: string;
    /** Components of each. */
    readonly dimensions: number;
    /** Pages that have one, of fetched_page_count. */
    readonly page_count: number;
    /** Pages whose vector was left out, as it has another length than most. */
    readonly other_length_count: number;
    /** What a similarity may be off at most from the cosine of the vectors as they were given, as each component is kept as one of 255 steps. Most are off by far less. */
    readonly error_bound: number;
    /** exact: all pairs were compared. cells: those that lie near to one another. */
    readonly method: "exact" | "cells";
    /** Share of the exact ten nearest pages that the lists have, of a sample of pages. */
    readonly recall: number;
    /** Of all pages, at 95 %, it is at least this, */
    readonly recall_low: number;
    /** and at most this. */
    readonly recall_high: number;
    /** Pages in the sample; 0 where exact. */
    readonly sample_count: number;
  })[];
  readonly blend: {
    /** Their name. */
    readonly vectors: string;
    /** How much they say, from 0 to 1; words say the rest. */
    readonly share: number;
    /** What a cosine is multiplied with, so that it is about as large as what words say. */
    readonly scale: number;
    /** Pages that have such a vector; others go by words alone. */
    readonly page_count: number;
  } | null;
  /** Names of the fields that pages have, by which lists can be narrowed: those that were declared, and the first 1,000 others. */
  readonly fields: ({
    readonly name: string;
    readonly kind: "any" | "number" | "date" | null;
    /** Pages that have it. */
    readonly page_count: number;
  })[];
  readonly parameters: Record<string, unknown>;
  readonly stages: {
    /** `copies: pairs` is a phase of the stage `copies`: it counts in no sum. */
    readonly name: string;
    readonly record_count: number;
    readonly duration_ms: number;
    /** Processor time of all threads meanwhile, those of work beside the stage among them. */
    readonly processor_ms: number;
  }[];
}

export interface PageAnswer extends Answer, PageName {
  /** Registrable domain. */
  readonly site: string;
  readonly lang: string | null;
  /** Whether a sweep found it gone, and none has had it since: title, language, `word_count` and `sweeps` are those of then; what it said of itself, its fields and its terms are not kept. */
  readonly gone: boolean;
  readonly image: string | null;
  readonly description: string | null;
  readonly published_at: string | null;
  readonly modified_at: string | null;
  /** What the page calls its site. As the four before it null where the page does not say. */
  readonly site_name: string | null;
  /** Fields of its owner: texts, numbers, true or false, or lists of these. */
  readonly fields: Record<string, string | number | boolean | (string | number | boolean)[]>;
  readonly word_count: number;
  /** Pages of the index that link to it. */
  readonly in_link_count: number;
  /** URLs that it links to, also those that are no page of the index. */
  readonly out_link_count: number;
  readonly sweeps: ({
    readonly sweep: string;
    /** When it was fetched; null where the source gave no time. */
    readonly fetched_at: string | null;
    readonly media_type: string;
    readonly charset: string;
    readonly body_bytes: number;
    /** The archived capture, where the service knows an archive (akin serve --replay-url). */
    readonly replay_url?: string | null | undefined;
  })[];
  readonly aliases: ({
    readonly url: string;
    readonly kind: "redirect" | "canonical";
  })[];
  /** For each relation that has bags: the top terms of each part. */
  readonly bags: ({
    readonly by: "topic" | "copy" | "own-features" | "meaning" | "cocitation" | "coupling" | "companion";
    /** Weight of the whole bag. */
    readonly sum: number;
    readonly terms: Record<string, Term[]>;
  })[];
}

export interface ChangeRow extends PageTitle {
  /** current: there is a page at this URL, as far as the sweeps know. not_seen_since: a later sweep has all there was of its site or host (added as the whole of it, or a crawl that left nothing out), and did not meet it; any other sweep says nothing of pages that it does not have. never_read: known by links alone. gone: a sweep found it gone (404, 410) or leading elsewhere, and none has had it since. not_indexed: with missing=200, the index does not know it. */
  readonly state: "current" | "not_seen_since" | "never_read" | "gone" | "not_indexed";
  readonly sweep: string;
  /** When it was fetched; null where the source gave no time. */
  readonly fetched_at: string | null;
  readonly news: "new" | "minor" | "major" | "rewritten" | "lost" | null;
  readonly token_count?: number | undefined;
  /** Against the capture before. identical: title and text are the same. lexically_equal: the same words in the same order (another title, punctuation, case). shingle_equal: the same shingles in another order or number. minor: resemblance of 0.9 or more. major: of 0.5 or more. rewritten: less. */
  readonly changed?: "first" | "identical" | "lexically_equal" | "shingle_equal" | "minor" | "major" | "rewritten" | undefined;
  readonly resemblance: number | null;
  /** Share of the text before that is still here. */
  readonly before_in_this?: number | undefined;
  readonly this_in_before?: number | undefined;
  readonly measure?: "exact" | "estimate" | null | undefined;
}

export interface ClusterRow extends PageTitle {
  /** Of copies: the number of the clustering, from 0. */
  readonly level: number;
  /** Its id. */
  readonly cluster: string;
  /** Top terms. */
  readonly label: string;
  readonly size: number;
  readonly center_url: string;
  readonly is_center: boolean;
}

export interface CopyRow extends PageTitle {
  /** Id of the cluster of copies. */
  readonly group: string;
  readonly size: number;
  readonly stays: boolean;
  /** URL of the page that stays; null for that itself. */
  readonly replaced_by: string | null;
}

export interface LinkRow {
  readonly url: string;
  readonly target_url: string;
  readonly target_title: string;
  /** False for a page that is known by links alone. */
  readonly target_fetched: boolean;
}

export interface MovedRow extends PageTitle {
  /** current: there is a page at this URL, as far as the sweeps know. not_seen_since: a later sweep has all there was of its site or host (added as the whole of it, or a crawl that left nothing out), and did not meet it; any other sweep says nothing of pages that it does not have. never_read: known by links alone. gone: a sweep found it gone (404, 410) or leading elsewhere, and none has had it since. not_indexed: with missing=200, the index does not know it. */
  readonly state: "current" | "not_seen_since" | "never_read" | "gone" | "not_indexed";
  /** The last that had it. */
  readonly last_sweep: string | null;
  /** The place of the candidate; null where there is none. */
  readonly rank: number | null;
  /** URL of the candidate. */
  readonly moved_to: string | null;
  readonly moved_title?: string | undefined;
  /** now_at: the page is there and has 0.5 or more of the lost text, or the URL leads there and the page does not say something else. parts_in: it is there and has less of it, at least min_containment. perhaps: all else. gone: the candidate is lost itself. */
  readonly strength?: "now_at" | "parts_in" | "perhaps" | "gone" | undefined;
  readonly share?: number | null | undefined;
  readonly resemblance?: number | null | undefined;
  readonly measure?: "exact" | "estimate" | null | undefined;
  /** redirect, canonical: the URL leads there. same_text: title and text were the same. resemblance: so much of the text. title: the same title. */
  readonly evidence?: ("redirect" | "canonical" | "same_text" | "resemblance" | "title")[] | undefined;
  /** current: there is a page at this URL, as far as the sweeps know. not_seen_since: a later sweep has all there was of its site or host (added as the whole of it, or a crawl that left nothing out), and did not meet it; any other sweep says nothing of pages that it does not have. never_read: known by links alone. gone: a sweep found it gone (404, 410) or leading elsewhere, and none has had it since. not_indexed: with missing=200, the index does not know it. */
  readonly moved_state?: "current" | "not_seen_since" | "never_read" | "gone" | "not_indexed" | undefined;
  /** When it was fetched; null where the source gave no time. */
  readonly gone_since?: string | null | undefined;
  /** URL where the text of a candidate that is lost is now. */
  readonly now_at?: string | null | undefined;
  /** The longest passage of the lost text that it has now, cut to some 240 characters; of the first ten candidates, where the index keeps texts. */
  readonly passage?: string | null | undefined;
  /** False where a bound on the search left something out. */
  readonly complete: boolean;
}

export interface PageRow extends Omit<SitePage, 'passage'> {
  readonly site: string;
  /** current: there is a page at this URL, as far as the sweeps know. not_seen_since: a later sweep has all there was of its site or host (added as the whole of it, or a crawl that left nothing out), and did not meet it; any other sweep says nothing of pages that it does not have. never_read: known by links alone. gone: a sweep found it gone (404, 410) or leading elsewhere, and none has had it since. not_indexed: with missing=200, the index does not know it. */
  readonly state: "current" | "not_seen_since" | "never_read" | "gone" | "not_indexed";
  /** The last that had it. */
  readonly last_sweep: string | null;
  /** When it was fetched; null where the source gave no time. */
  readonly fetched_at: string | null;
  readonly word_count: number;
  readonly in_link_count: number;
  readonly out_link_count: number;
}

export interface RecordRow extends Card, PageTitle {
  readonly lang: string | null;
  /** When it was fetched; null where the source gave no time. */
  readonly fetched_at: string | null;
  readonly text: string;
  /** URLs of pages of the index; of a page that waits for a fold all that it links to. */
  readonly links?: string[] | undefined;
  /** Weights by feature, by group. */
  readonly features?: Record<string, Record<string, number>> | undefined;
  /** By their names. */
  readonly vectors?: Record<string, number[]> | undefined;
}

export interface RelatedRow extends ListCard {
  /** The page that the list is of. */
  readonly url: string;
  /** Its place in the list. */
  readonly rank: number;
  readonly related_url: string;
  readonly related_title: string;
  /** False for a page that is known by links alone. */
  readonly fetched: boolean;
  /** For topic: weighted Jaccard of the two bags. For copy: resemblance, the share of all shingles of both texts that both have. For own-features: weighted Jaccard of the features that their owner gave both, the weights as they are given. For meaning: cosine of the vectors that their owner gave both, of one name, each component rounded to one of 255 steps; 0 where it is negative. For cocitation: Jaccard of the sets of pages that link to the two. For coupling: Jaccard of the sets of pages that the two link to. For companion: no similarity but a score, the authority in the graph of links around the page as a share of the greatest; pages below a millionth of it are not listed. At most six decimals. */
  readonly similarity: number;
  /** Which kind of figure `similarity` is. score: no similarity, but what the list is ordered by as a share of its greatest; not to be compared with other lists. */
  readonly measure: "exact" | "estimate" | "score";
  readonly same_site: boolean;
  /** Share of the page or document asked about that is in the result. */
  readonly asked_in_result?: number | undefined;
  /** Share of the result that is in the page or document asked about. */
  readonly result_in_asked?: number | undefined;
  /** Of the list, as GET /related says. */
  readonly complete?: boolean | undefined;
  /** It is not related: it fills the list, as `fallback` asked. */
  readonly fallback?: "site" | "recent" | undefined;
  /** It stands here by a rule (PUT /rules), whatever its similarity. */
  readonly pinned?: true | undefined;
  /** With boost, what the first 32 pages are ordered by: similarity times freshness. Else with explain: what the list is ordered by, from the similarity, the Hellinger affinity, the cosine of vectors where lists go by them, and the votes of the neighbors of this page. A page that is clearly the nearest stands first whatever its score. Pages beyond the stored neighbors have none and follow by similarity. */
  readonly score?: number | undefined;
  readonly why?: Why | undefined;
}

export interface ListOptions {
  /** The relation asked about. An index holds one or more of them, and those by links where it has links; see GET /index. */
  readonly by?: "topic" | "copy" | "own-features" | "meaning" | "cocitation" | "coupling" | "companion" | undefined;
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
  /** A page that must not be listed, by its URL; with a * at the end all whose URLs begin so; or a site (registrable domain). A * of a URL itself is written %2A. Repeat it for several. */
  readonly exclude?: string[] | undefined;
  /** Leaves out what the page links to already. */
  readonly exclude_linked?: boolean | undefined;
  /** Leaves out near copies of the page itself and of pages further up in the list: copies that resemble it at 0.9 or more, and copies of the same title on the same site. A page is compared with the first 16 of its cluster that are listed. An index built without copies knows none. */
  readonly exclude_copies?: boolean | undefined;
  /** only: leaves out pages that are known by links alone, whose text was never read. */
  readonly fetched?: "include" | "only" | undefined;
  /** Lists only pages in this language, or with `same` in that of the page asked about, and those that do not say in which they are. Only its primary subtag counts: en-US is asked as en. */
  readonly lang?: string | undefined;
  /** Lists only pages that say they were published at this time or later: a date, which begins at midnight UTC, or a time with its zone, such as 2026-01-02T10:00:00Z. Pages that say nothing are left out. */
  readonly published_after?: string | undefined;
  /** Lists only pages that say they were published before this time, or with `page` before the page asked about: lists of pages that are published later do not change them. Pages that say nothing are left out. */
  readonly published_before?: string | undefined;
  /** Lists only pages with such a field, each NAME=VALUE, all of which must hold: category=tea; tags=green,black for any of these; price=10..20, price=..20 or day=2024-05-01.. for numbers and dates, ends included; category=same for what the page asked about has. A \ before a character takes its meaning from it. In an address it is field.category=tea, too. Of a name that was not declared when the index was built, the fields of all pages may have to be read. */
  readonly field?: string[] | undefined;
  /** NAME=VALUE: lists only pages with this field, and the page asked about must have it, too: any other is answered as one that is not in the index, and nothing is said of pages without it. So tenants share one index. */
  readonly within?: string | undefined;
  /** For by=copy, one of the clusterings that GET /index names: 0.9 joins pages of that resemblance, 0.8c pages of which that share is in the other. Lists the pages of its cluster, however much they resemble it, at most the 1,000 nearest to the center; without it, the pages that resemble it. */
  readonly clustering?: string | undefined;
  /** For by=meaning: of which vectors, by their name; GET /index names those of the index. It may be left out where the index has vectors of one name alone. */
  readonly vector?: string | undefined;
  /** Adds what a page says of itself: image, description, published_at, modified_at, each where it says it; its fields; and passage, how its own text begins, where it has no description. */
  readonly cards?: boolean | undefined;
  /** fresh:30d lists fresh pages further up: the first 32 pages are ordered by similarity times freshness, which is 1 until a tenth of this age (h, d, w or y), .5 at the age, and .5 for a page that does not say when it was published. Ages count back from the time of the index. `score` has the product; similarity stays. Only for relations by words. */
  readonly boost?: string | undefined;
  /** Above 0, the first 32 pages are ordered such that each differs from those before it: the next one has the greatest (1 - diversity) times similarity less diversity times its similarity to the most similar page before it. Only for relations by words. */
  readonly diversity?: number | undefined;
  /** Fills the list up to limit where fewer pages are related, behind them and each marked `fallback`. site: with pages of the same site, first those of the same host whose URLs share the most leading characters with that of the page. recent: with the latest published pages, then those of the latest sweep that do not say when they were. The filters hold for them, and none is a near copy of the page or of one that is listed. Refused for by=copy. */
  readonly fallback?: "site" | "recent" | "none" | undefined;
  /** Adds these fields of each page, where it has them, in place of all that `cards` adds. Several stand with commas between: fields=price,category. */
  readonly fields?: string[] | undefined;
  /** Counts the values of these fields on the first 100 pages of the list, which takes as long as such a list. Several stand with commas between. */
  readonly facets?: string[] | undefined;
  /** score: by similarity and by how near the neighbors of a page are too; by default, unless same_site=exclude or site= leaves out the site of the page. similarity: by similarity alone, which is of words where an index goes by words and vectors (GET /index: blend); a list that is not by score for its site is by both there. Copies, lists by links, and indexes of the printed profile, are listed by similarity either way. */
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

export interface SearchOptions extends Paging {
  /** Lists only pages of this host and its subdomains, as site:host in `q` does; a suffix such as edu is no host here. */
  readonly site?: string | undefined;
  /** Lists only pages that say they are in this language. Only its primary subtag counts: en-US is asked as en. */
  readonly lang?: string | undefined;
  /** Lists only pages with such a field, each NAME=VALUE, all of which must hold: category=tea; tags=green,black for any of these; price=10..20, price=..20 or day=2024-05-01.. for numbers and dates, ends included. A \ before a character takes its meaning from it. In an address it is field.category=tea, too. Of a name that was not declared when the index was built, the fields of all pages may have to be read. */
  readonly field?: string[] | undefined;
  /** NAME=VALUE: lists only pages with this field, and the page asked about must have it, too: any other is answered as one that is not in the index, and nothing is said of pages without it. So tenants share one index. */
  readonly within?: string | undefined;
  /** copies: of near copies only the best is listed, with their count. */
  readonly group?: "copies" | "none" | undefined;
  /** Counts the pages found by `site` and `lang`, and the best 1,000 of them by the values of fields: facets=site,category,price. */
  readonly facets?: string[] | undefined;
}

export interface SuggestOptions {
  /** Lists only pages of this host and its subdomains, as site:host in `q` does; a suffix such as edu is no host here. */
  readonly site?: string | undefined;
  /** Suggestions at most. */
  readonly limit?: number | undefined;
}

export interface ClusterOptions extends Paging, BestCopy {
  /** The relation asked about. Relations by links and by vectors have no clusters. */
  readonly by?: "topic" | "copy" | "own-features" | undefined;
  /** For by=copy, one of the clusterings that GET /index names: 0.9 joins pages of that resemblance, 0.8c pages of which that share is in the other. By default the first. */
  readonly clustering?: string | undefined;
}

export interface ClustersOptions extends Paging {
  /** The relation asked about. Relations by links and by vectors have no clusters. */
  readonly by?: "topic" | "copy" | "own-features" | undefined;
  /** Largest first, or by label from A to Z. */
  readonly sort?: "size" | "label" | undefined;
  /** only: leaves out clusters around a page that is known by links alone; what holds these together is often one link text that a site repeats. */
  readonly fetched?: "include" | "only" | undefined;
  /** Lists only clusters whose label has this in it. */
  readonly label?: string | undefined;
  /** Members to name of each cluster, beside its center. */
  readonly examples?: number | undefined;
  /** Of topics: 0, which is listed by default, is the finest; higher is broader. */
  readonly level?: number | undefined;
  /** For by=copy, one of the clusterings that GET /index names: 0.9 joins pages of that resemblance, 0.8c pages of which that share is in the other. By default the first. */
  readonly clustering?: string | undefined;
}

export interface MembersOptions extends Paging {}

export interface MovedOptions extends LostOptions {
  /** The sweep whose text of the page is sought, as GET /history names it. By default of a page that is in use the latest text that is not there any more, else the last. */
  readonly capture?: string | undefined;
  /** Status for a page that is not in the index: 404, or 200 with an empty answer, which a browser does not report as an error. */
  readonly missing?: "200" | "404" | undefined;
}

export interface LostOptions extends Paging {
  /** Least share of the lost text from which a page that holds it is a candidate without other evidence. */
  readonly min_containment?: number | undefined;
}

export interface ChangesOptions extends Paging {
  /** A sweep as GET /index names it. By default the last. */
  readonly sweep?: string | undefined;
  /** Lists only pages with such news; by default with any. Several stand with commas between: news=minor,major. */
  readonly news?: ("new" | "minor" | "major" | "rewritten" | "lost")[] | undefined;
}

export interface SitesOptions extends Paging {
  /** Lists only sites with this in their names. */
  readonly name?: string | undefined;
}

export interface SitePagesOptions extends Paging {
  /** Lists only pages that say they are in this language. Only its primary subtag counts: en-US is asked as en. */
  readonly lang?: string | undefined;
  /** only: leaves out pages that are known by links alone. */
  readonly fetched?: "include" | "only" | undefined;
}

export interface HistoryOptions extends Paging {}

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

export interface GroupOptions extends BestCopy {
  /** Least resemblance to the representative of a group; by default the one from which the index calls pages copies. */
  readonly threshold?: number | undefined;
}

export interface GivenDocument extends GivenExample {
  /** Fields of your own beside html or text, as a JSONL record gives them: {"category": "tea"}. What field.NAME=same asks for; without them, those of the page that the document is known as. */
  readonly fields?: Record<string, unknown> | undefined;
  /** Language of the document, where the HTML does not say: de, or de-AT. By it words are reduced to their stems; without one as English ones. */
  readonly lang?: string | undefined;
  /** Features of your own beside html or text, as a JSONL record gives them: {"tags": {"roses": 1}}, 10,000 at most. POST /similar weighs those of the groups that the index has a part for, and a page that the index knows keeps its own there where none are sent; POST /compare compares all. */
  readonly features?: Record<string, unknown> | undefined;
  /** Vectors of your own, alone or beside html or text, as a JSONL record gives them: {"minilm": [0.1, -0.2]}, or base64 of float32, little-endian. By by=meaning pages are listed whose vectors of the name are near. By by=topic they take part where lists of the index go by words and vectors (GET /index: blend); there a page that the index knows keeps its own where none is sent. Refused elsewhere. */
  readonly vectors?: Record<string, number[] | string> | undefined;
}

export interface GivenExample {
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
}

export interface GivenExamples {
  /** In place of all else but unlike: examples of what is wanted, pages of the index by their URLs or documents as html or text. The list is nearest to the mean of all; the examples are not in it. Only for relations by words. */
  readonly like: GivenExample[];
  /** Beside like: examples of what is not wanted. The mean weight of their words is taken away; they are not in the list. */
  readonly unlike?: GivenExample[] | undefined;
}

export interface ComparedDocument extends GivenExample {
  /** Features of your own beside html or text, as a JSONL record gives them: {"tags": {"roses": 1}}, 10,000 at most. POST /similar weighs those of the groups that the index has a part for, and a page that the index knows keeps its own there where none are sent; POST /compare compares all. */
  readonly features?: Record<string, unknown> | undefined;
  /** Vectors of your own, alone or beside html or text, as a JSONL record gives them: {"minilm": [0.1, -0.2]}, or base64 of float32, little-endian. By by=meaning pages are listed whose vectors of the name are near. By by=topic they take part where lists of the index go by words and vectors (GET /index: blend); there a page that the index knows keeps its own where none is sent. Refused elsewhere. */
  readonly vectors?: Record<string, number[] | string> | undefined;
  /** Beside `url` alone: the sweep whose text of the page is compared, as GET /history names it. */
  readonly capture?: string | undefined;
}

export interface ListRule {
  /** The page whose lists it is for. */
  readonly url?: string | undefined;
  /** In place of url: for all pages of this registrable domain. With neither, for all pages. */
  readonly site?: string | undefined;
  /** Pages that come first, in this order, where no filter leaves them out. */
  readonly pin?: string[] | undefined;
  /** What is in no such list: a page by its URL, with a * at the end all whose URLs begin so, or a site. A * of a URL itself is written %2A. */
  readonly block?: string[] | undefined;
}

export type GroupedResult = string | {
  readonly url: string;
  /** Compared in place of what the index holds. */
  readonly text?: string | undefined;
};

/** What a build can be asked for. */
export interface BuildSettings {
  /** The method: akin (best measured), or haveliwala2000 (as printed in the paper). Default akin. */
  readonly profile?: "akin" | "haveliwala2000" | undefined;
  /** Budget of the build's tables and buffers; a smaller one means more passes over the disk. Default 1G. */
  readonly memoryBytes?: number | undefined;
  /** Threads of the build, at most: never more than one per core, and fewer for a small input; 0 means one per core. The index is the same for any number. Default 0. */
  readonly workerCount?: number | undefined;
  /** What a page is described by, and how much of its weight each part gets; content alone: --parts content. Default content=0.69,title=0.055,heading=0.07,anchor=0.125,out=0.03,in=0.03 (haveliwala2000: anchor=1). */
  readonly parts?: Readonly<Record<string, number>> | string | undefined;
  /** Larger pages are skipped and counted; while a page is read it takes some 24 times its bytes, above --memory. Default 10M. */
  readonly maxPageBytes?: number | undefined;
  /** Stop words, one a line, instead of the built-in list. Default not set. */
  readonly stopWords?: string | null | undefined;
  /** Only these elements of a page count; a page with data-akin-body counts as it says, one with neither whole. Default not set. */
  readonly body?: string | undefined;
  /** These elements of a page do not count, as if they had data-akin-ignore. Default not set. */
  readonly ignore?: string | undefined;
  /** Words before and after a link that describe its target; 0 keeps only the link text. Default 8. */
  readonly windowWords?: number | undefined;
  /** Words on fewer pages are dropped; 1 keeps all. Default 2. */
  readonly minPageCount?: number | undefined;
  /** Words on a larger share of the pages are dropped; 1 keeps all. Default 0.5 (haveliwala2000: 0.3). */
  readonly maxPageShare?: number | undefined;
  /** Related pages kept for each page. Default 32 (haveliwala2000: 100). */
  readonly neighborLimit?: number | undefined;
  /** What is near: jaccard (weighted Jaccard and Hellinger), or bm25 (short posts; akin tune says where it is better). Default jaccard. */
  readonly kernel?: "jaccard" | "bm25" | undefined;
  /** Similarity below which no related page is kept. Default 0.03 (haveliwala2000: 0.2). */
  readonly floor?: number | undefined;
  /** Share of the true ten nearest pages to find (and of the pairs, with --pairs), measured during the build; 1 searches exactly at any cost. Default 0.97. */
  readonly targetRecall?: number | undefined;
  /** How much of the words of a page its ten nearest pages lend to it, so that lists find pages that say the same in other words; 0 means none, .1 is usual, akin tune says whether your labels prove it. Default 0. */
  readonly lend?: number | undefined;
  /** How much vectors of your own say, beside words, of what is related: they take part in which pages a list has and in its order; 0 means words alone, .15 is usual, akin tune says what your labels prove. Default 0. */
  readonly meaningShare?: number | undefined;
  /** With --meaning-share: of which vectors, by their name; not set: those that most pages have. Default not set. */
  readonly meaningVectors?: string | undefined;
  /** CENTER uses every pair of at least this similarity (0.1 or more), not only the nearest pages; 0 means the nearest pages. Default 0. */
  readonly pairSimilarity?: number | null | undefined;
  /** Least similarity to the center of a cluster for a page to join it. Default 0.2. */
  readonly clusterSimilarity?: number | undefined;
  /** Classes of some pages (url and class, such as Science/Physics) that seed and name the topics. Default not set. */
  readonly classes?: readonly (readonly [url: string, path: string])[] | null | undefined;
  /** Haveliwala2000: bytes of each value that the filter compares; 1 needs a third of the memory. Default 3. */
  readonly filterBytes?: 3 | 1 | undefined;
  /** Haveliwala2000: values of a signature that the filter compares; fewer need less memory. Default 80. */
  readonly filterValues?: number | undefined;
  /** Seed of hash functions, samples and topics; another seed gives another, equally good index. Default 1. */
  readonly seed?: number | undefined;
  /** False to leave out the copy relation: pages are not compared by their wording. Default yes. */
  readonly copies?: boolean | undefined;
  /** How copies are found: akin (short pages sampled finely), broder1997 (as printed in the paper), or cs276 (200 permutations, near-duplicates alone, as in the lectures). Default akin. */
  readonly copyProfile?: "akin" | "broder1997" | "cs276" | undefined;
  /** Consecutive words that are compared as one unit. Default 10. */
  readonly shingleSize?: number | undefined;
  /** Least resemblance of two copies; 0 is that of the profile. Default 0.5 (cs276: 0.8). */
  readonly copySimilarity?: number | undefined;
  /** Thresholds of several clusterings of copies, such as 0.5,0.9,0.8c: by resemblance, or with c by containment, which joins a page to a longer page that contains it (and makes longer chains). The first is the default of requests; not set: one clustering, at --copy-at. Default not set. */
  readonly copyClusterings?: string | readonly string[] | undefined;
  /** What pages must share to be compared: shingles, or super-shingles: fewer comparisons, but containment and short pages are missed; needs --copy-at 0.8 or more. Default shingles. */
  readonly copyJoin?: "shingles" | "super-shingles" | undefined;
  /** False to do not store the texts: the index is smaller, but shared passages cannot be shown. Default yes. */
  readonly keepText?: boolean | undefined;
  /** False to no counts the repeated frame of a site's pages like other text, as the profiles broder1997 and cs276 do. Default yes (broder1997: no, cs276: no). */
  readonly templateFilter?: boolean | undefined;
  /** Of 384 bits that must agree for two pages of one host to be copies; 0 turns the check off, 355 is usual. Default 0. */
  readonly sameSiteBits?: number | undefined;
  /** Fields of pages by which lists are narrowed at no cost, such as category,price:number,day:date. Default not set. */
  readonly fields?: Readonly<Record<string, 'any' | 'number' | 'date'>> | string | undefined;
  /** False to leave out the search by words; an index without texts has none. Default yes. */
  readonly search?: boolean | undefined;
  /** True to show titles whole: without it, what all titles of a host share (its name, mostly) is cut from them. Default no. */
  readonly keepTitles?: boolean | undefined;
}
