/** What a build can be asked for, from the schemas of the service: `npm run openapi` writes this file. */

export interface BuildSettings {
  /** The method: akin (best measured), or haveliwala2000 (as printed in the paper). Default akin. */
  readonly profile?: "akin" | "haveliwala2000" | undefined;
  /** Budget of the build's tables and buffers; a smaller one means more passes over the disk. Default 1G. */
  readonly memoryBytes?: number | undefined;
  /** Threads of the build; 0 means one per core. The index is the same for any number. Default 0. */
  readonly workerCount?: number | undefined;
  /** What a page is described by, and how much of its weight each part gets; content alone: --parts content. Default content=0.69,title=0.055,heading=0.07,anchor=0.125,out=0.03,in=0.03 (haveliwala2000: anchor=1). */
  readonly parts?: Readonly<Record<string, number>> | string | undefined;
  /** Larger pages are skipped and counted. Default 10M. */
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
  /** Similarity below which no related page is kept. Default 0.03 (haveliwala2000: 0.2). */
  readonly floor?: number | undefined;
  /** Share of the true ten nearest pages to find (and of the pairs, with --pairs), measured during the build; 1 searches exactly at any cost. Default 0.97. */
  readonly targetRecall?: number | undefined;
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
  /** False to leave out the search by words; an index without texts has none. Default yes. */
  readonly search?: boolean | undefined;
  /** True to show titles whole: without it, what all titles of a host share (its name, mostly) is cut from them. Default no. */
  readonly keepTitles?: boolean | undefined;
}
