/** The other answers, from the schemas of the service: `npm run openapi` writes this file. */

import type { ResultContainment, ResultGroup, SharedTerm, Term } from './lists.ts';

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

export interface ComparisonAnswer {
  readonly a: ComparedText;
  readonly b: ComparedText;
  readonly generation: string | null;
  /** identical: title and text are the same. lexically_equal: the same words in the same order. shingle_equal: the same shingles. Where the index keeps no texts, identical ones are called lexically_equal. */
  readonly equality: "identical" | "lexically_equal" | "shingle_equal" | "different";
  readonly topic: {
    /** Weighted Jaccard of the two bags. */
    readonly similarity: number;
    readonly measure: "exact";
    /** Words that both have, those of the greatest shares of the overlap, at most ten. */
    readonly terms: SharedTerm[];
  } | null;
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
  /** Only there where shards of the index could not be asked: what they have is missing. Not cached. */
  readonly partial?: true | undefined;
  /** Their numbers; there with `partial`. */
  readonly lost_shards?: number[] | undefined;
}

interface CoverPage {
  readonly url: string;
  readonly title: string;
  /** Share of the text that it adds to what the pages before it hold. */
  readonly share: number;
  /** Share of the text that it holds by itself. */
  readonly holds: number;
}

export interface CoverAnswer {
  /** The state of the index that answered. */
  readonly generation: string;
  /** Different shingles of the text. */
  readonly shingle_count: number;
  /** In the order in which they are taken: each adds most to those before it, ties by URL. */
  readonly pages: CoverPage[];
  /** Share of the text that none of these pages holds; 1 for a text that is too short for a shingle. */
  readonly remainder: number;
  /** Exact where all shingles of both texts are at hand; else estimated from samples of them. */
  readonly measure: "exact" | "estimate";
  /** False where a bound on the search left something out. */
  readonly complete: boolean;
  /** Only there where shards of the index could not be asked: what they have is missing. Not cached. */
  readonly partial?: true | undefined;
  /** Their numbers; there with `partial`. */
  readonly lost_shards?: number[] | undefined;
}

interface Estimate {
  readonly value: number;
  /** 0 where the value is exact. */
  readonly standard_error: number;
}

export interface GroupsAnswer {
  readonly by: "copy";
  /** The state of the index that answered. */
  readonly generation: string;
  readonly threshold: number;
  /** Of all groups. */
  readonly hidden_count: number;
  /** In the order of their representatives. */
  readonly groups: ResultGroup[];
  /** Only there where shards of the index could not be asked: what they have is missing. Not cached. */
  readonly partial?: true | undefined;
  /** Their numbers; there with `partial`. */
  readonly lost_shards?: number[] | undefined;
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

interface Capture {
  readonly sweep: string;
  /** When it was fetched; null where the source gave no time. */
  readonly fetched_at: string | null;
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
  /** The archived capture, where the service knows an archive (akin serve --replay-url). */
  readonly replay_url?: string | null | undefined;
}

export interface ChangesAnswer {
  /** The state of the index that answered. */
  readonly generation: string;
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
  /** The cursor of what follows, or null. */
  readonly next: string | null;
  /** Only there where shards of the index could not be asked: what they have is missing. Not cached. */
  readonly partial?: true | undefined;
  /** Their numbers; there with `partial`. */
  readonly lost_shards?: number[] | undefined;
}

export interface HistoryAnswer {
  readonly url: string;
  readonly title: string;
  /** The state of the index that answered. */
  readonly generation: string;
  /** current: there is a page at this URL, as far as the sweeps know. not_seen_since: a later sweep has all there was of its site or host (added as the whole of it, or a crawl that left nothing out), and did not meet it; any other sweep says nothing of pages that it does not have. never_read: known by links alone. gone: a sweep found it gone (404, 410) or leading elsewhere, and none has had it since. not_indexed: with missing=200, the index does not know it. */
  readonly state: "current" | "not_seen_since" | "never_read" | "gone" | "not_indexed";
  /** Whether `state` is gone. */
  readonly gone: boolean;
  readonly last_seen: {
    readonly sweep: string;
    /** When it was fetched; null where the source gave no time. */
    readonly fetched_at: string | null;
    /** The archived capture, where the service knows an archive (akin serve --replay-url). */
    readonly replay_url?: string | null | undefined;
  } | null;
  /** Captures of the page. */
  readonly total: number;
  /** Oldest first. */
  readonly captures: Capture[];
  /** The cursor of what follows, or null. */
  readonly next: string | null;
  /** Only there where shards of the index could not be asked: what they have is missing. Not cached. */
  readonly partial?: true | undefined;
  /** Their numbers; there with `partial`. */
  readonly lost_shards?: number[] | undefined;
}

interface LostPage {
  readonly url: string;
  readonly title: string;
  /** current: there is a page at this URL, as far as the sweeps know. not_seen_since: a later sweep has all there was of its site or host (added as the whole of it, or a crawl that left nothing out), and did not meet it; any other sweep says nothing of pages that it does not have. never_read: known by links alone. gone: a sweep found it gone (404, 410) or leading elsewhere, and none has had it since. not_indexed: with missing=200, the index does not know it. */
  readonly state: "current" | "not_seen_since" | "never_read" | "gone" | "not_indexed";
  readonly last_seen: {
    readonly sweep: string;
    /** When it was fetched; null where the source gave no time. */
    readonly fetched_at: string | null;
    /** The archived capture, where the service knows an archive (akin serve --replay-url). */
    readonly replay_url?: string | null | undefined;
  } | null;
  readonly candidate: MovedCandidate | null;
}

export interface LostAnswer {
  /** The state of the index that answered. */
  readonly generation: string;
  /** In the order of their URLs. */
  readonly pages: LostPage[];
  /** Pages of the index that were looked at for this answer. */
  readonly looked_at: number;
  /** The cursor of what follows, or null. */
  readonly next: string | null;
  /** Only there where shards of the index could not be asked: what they have is missing. Not cached. */
  readonly partial?: true | undefined;
  /** Their numbers; there with `partial`. */
  readonly lost_shards?: number[] | undefined;
}

interface MovedCandidate {
  readonly url: string;
  readonly title: string;
  /** redirect, canonical: the URL leads there. same_text: title and text were the same. resemblance: so much of the text. title: the same title. */
  readonly evidence: ("redirect" | "canonical" | "same_text" | "resemblance" | "title")[];
  readonly resemblance: number | null;
  readonly containment: ResultContainment | null;
  readonly measure: "exact" | "estimate" | null;
  /** Whether the text that it has now holds min_containment of the lost one. */
  readonly holds_now: boolean;
  /** now_at: the page is there and has 0.5 or more of the lost text, or the URL leads there and the page does not say something else. parts_in: it is there and has less of it, at least min_containment. perhaps: all else. gone: the candidate is lost itself. */
  readonly strength: "now_at" | "parts_in" | "perhaps" | "gone";
  /** current: there is a page at this URL, as far as the sweeps know. not_seen_since: a later sweep has all there was of its site or host (added as the whole of it, or a crawl that left nothing out), and did not meet it; any other sweep says nothing of pages that it does not have. never_read: known by links alone. gone: a sweep found it gone (404, 410) or leading elsewhere, and none has had it since. not_indexed: with missing=200, the index does not know it. */
  readonly state: "current" | "not_seen_since" | "never_read" | "gone" | "not_indexed";
  /** Whether `state` is current; such candidates come first. */
  readonly current: boolean;
  readonly last_seen: {
    readonly sweep: string;
    /** When it was fetched; null where the source gave no time. */
    readonly fetched_at: string | null;
    /** The archived capture, where the service knows an archive (akin serve --replay-url). */
    readonly replay_url?: string | null | undefined;
  } | null;
  readonly gone_since: {
    readonly sweep: string;
    /** When it was fetched; null where the source gave no time. */
    readonly fetched_at: string | null;
  } | null;
  /** The longest passage of the lost text that it has now, cut to some 240 characters; of the first ten candidates, where the index keeps texts. */
  readonly passage: string | null;
}

export interface MovedAnswer {
  readonly url: string;
  readonly title: string;
  /** The state of the index that answered. */
  readonly generation: string;
  /** current: there is a page at this URL, as far as the sweeps know. not_seen_since: a later sweep has all there was of its site or host (added as the whole of it, or a crawl that left nothing out), and did not meet it; any other sweep says nothing of pages that it does not have. never_read: known by links alone. gone: a sweep found it gone (404, 410) or leading elsewhere, and none has had it since. not_indexed: with missing=200, the index does not know it. */
  readonly state: "current" | "not_seen_since" | "never_read" | "gone" | "not_indexed";
  /** Whether `state` is gone. */
  readonly gone: boolean;
  readonly last_seen: {
    readonly sweep: string;
    /** When it was fetched; null where the source gave no time. */
    readonly fetched_at: string | null;
    /** The archived capture, where the service knows an archive (akin serve --replay-url). */
    readonly replay_url?: string | null | undefined;
  } | null;
  readonly lost: {
    readonly sweep: string;
    /** When it was fetched; null where the source gave no time. */
    readonly fetched_at: string | null;
    /** The archived capture, where the service knows an archive (akin serve --replay-url). */
    readonly replay_url?: string | null | undefined;
  } | null;
  /** Likeliest first; never the page itself. Of a text that is still there, what else has it: it has not moved. */
  readonly candidates: MovedCandidate[];
  /** False where a bound on the search left something out. */
  readonly complete: boolean;
  /** The cursor of what follows, or null. */
  readonly next: string | null;
  /** Only there where shards of the index could not be asked: what they have is missing. Not cached. */
  readonly partial?: true | undefined;
  /** Their numbers; there with `partial`. */
  readonly lost_shards?: number[] | undefined;
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

interface SearchResult {
  readonly url: string;
  readonly title: string;
  /** Registrable domain. */
  readonly site: string;
  readonly lang: string | null;
  /** False for a page that is known by links alone. */
  readonly fetched: boolean;
  readonly snippet: Snippet;
  /** Near copies further down that are not listed, as far as they are among the 200 best or before the end of this page. */
  readonly copies: number;
  /** Absolute http or https URL of a picture. */
  readonly image?: string | undefined;
  /** At most 300 characters. */
  readonly description?: string | undefined;
  /** As the page says: a date, or a time in UTC. */
  readonly published_at?: string | undefined;
  /** The same. */
  readonly modified_at?: string | undefined;
}

export interface SearchAnswer {
  readonly query: string;
  /** The state of the index that answered. */
  readonly generation: string;
  /** Pages that match, copies included. */
  readonly total: number;
  /** Words that are on no page or hardly any, and what was looked for instead; a word that is on a page was looked for, too. */
  readonly corrected: {
    /** As it was typed. */
    readonly word: string;
    /** The word that was looked for. */
    readonly instead: string;
  }[];
  /** In the order asked for; left out where none was. */
  readonly facets?: Facet[] | undefined;
  /** Best first; the best 1,000 can be had, copies that are folded not counted, of the best 4,000 pages. */
  readonly results: SearchResult[];
  /** The cursor of what follows, or null. */
  readonly next: string | null;
  /** Only there where shards of the index could not be asked: what they have is missing. Not cached. */
  readonly partial?: true | undefined;
  /** Their numbers; there with `partial`. */
  readonly lost_shards?: number[] | undefined;
}

interface Snippet {
  /** A passage of the page, plain text; empty where no text is at hand. */
  readonly text: string;
  /** Where the words stand in it: UTF-16 offsets, start inclusive, end exclusive, ascending. */
  readonly marks: number[][];
}

export interface SuggestionsAnswer {
  readonly query: string;
  /** The state of the index that answered. */
  readonly generation: string;
  /** Those of most pages first; empty where no word is begun, or none goes on so. */
  readonly suggestions: {
    /** The query with its last word made whole. */
    readonly text: string;
    /** Pages that have all its words. */
    readonly pages: number;
  }[];
  /** Only there where shards of the index could not be asked: what they have is missing. Not cached. */
  readonly partial?: true | undefined;
  /** Their numbers; there with `partial`. */
  readonly lost_shards?: number[] | undefined;
}

interface SitePage {
  readonly url: string;
  readonly title: string;
  readonly lang: string | null;
  /** False for a page that is known by links alone. */
  readonly fetched: boolean;
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

export interface SitePagesAnswer {
  readonly site: string;
  /** The state of the index that answered. */
  readonly generation: string;
  /** In the order of their URLs; none where no page of the index is of this site. */
  readonly pages: SitePage[];
  /** The cursor of what follows, or null. */
  readonly next: string | null;
  /** Only there where shards of the index could not be asked: what they have is missing. Not cached. */
  readonly partial?: true | undefined;
  /** Their numbers; there with `partial`. */
  readonly lost_shards?: number[] | undefined;
}

interface Site {
  /** Registrable domain. */
  readonly site: string;
  /** Pages that are known of it, also by links alone, also those that are gone. */
  readonly pages: number;
  /** Of them, those that were read. */
  readonly fetched_pages: number;
}

export interface SitesAnswer {
  /** The state of the index that answered. */
  readonly generation: string;
  /** Sites with `name` in their names. */
  readonly total: number;
  /** Those of most pages read first. */
  readonly sites: Site[];
  /** The cursor of what follows, or null. */
  readonly next: string | null;
  /** Only there where shards of the index could not be asked: what they have is missing. Not cached. */
  readonly partial?: true | undefined;
  /** Their numbers; there with `partial`. */
  readonly lost_shards?: number[] | undefined;
}

export interface IndexAnswer {
  /** The state of the index that answered. */
  readonly generation: string;
  readonly built_at: string;
  readonly akin_version: string;
  /** Without those that are gone. */
  readonly page_count: number;
  readonly fetched_page_count: number;
  readonly alias_count: number;
  readonly cluster_count: number;
  readonly size_bytes: number;
  readonly relations: ({
    readonly by: "topic" | "copy" | "cocitation" | "coupling" | "companion";
    readonly profile: string;
    readonly measure: "exact" | "estimate";
    /** Neighbors stored for a page at most. */
    readonly neighbor_limit: number;
    /** Similarity below which nothing is listed. */
    readonly floor: number;
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
  readonly link_relations: ("topic" | "copy" | "cocitation" | "coupling" | "companion")[];
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
  readonly parameters: Record<string, unknown>;
  readonly stages: {
    /** `copies: pairs` is a phase of the stage `copies`: it counts in no sum. */
    readonly name: string;
    readonly record_count: number;
    readonly duration_ms: number;
    /** Processor time of all threads meanwhile, those of work beside the stage among them. */
    readonly processor_ms: number;
  }[];
  /** Only there where shards of the index could not be asked: what they have is missing. Not cached. */
  readonly partial?: true | undefined;
  /** Their numbers; there with `partial`. */
  readonly lost_shards?: number[] | undefined;
}

export interface PageAnswer {
  readonly url: string;
  readonly title: string;
  /** Registrable domain. */
  readonly site: string;
  readonly lang: string | null;
  /** The state of the index that answered. */
  readonly generation: string;
  /** False for a page that is known by links alone. */
  readonly fetched: boolean;
  readonly image: string | null;
  readonly description: string | null;
  readonly published_at: string | null;
  readonly modified_at: string | null;
  /** What the page calls its site. As the four before it null where the page does not say. */
  readonly site_name: string | null;
  readonly word_count: number;
  readonly in_link_count: number;
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
    readonly by: "topic" | "copy" | "cocitation" | "coupling" | "companion";
    /** Weight of the whole bag. */
    readonly sum: number;
    readonly terms: Record<string, Term[]>;
  })[];
  /** Only there where shards of the index could not be asked: what they have is missing. Not cached. */
  readonly partial?: true | undefined;
  /** Their numbers; there with `partial`. */
  readonly lost_shards?: number[] | undefined;
}
