import type { QueryHalves } from '../../evaluate/climb.ts';
import type { ListsByRank, Rank, RankedLists } from '../../indexer/tune/lists-of-bags.ts';
import { Random } from '../../lib/random.ts';
import { type Judge, K } from './judge.ts';

/** What the rows of lists stand for: pages, then the pages that texts ask for. */
interface Rows {
  readonly pages: readonly number[];
  readonly texts: readonly number[];
}

/** What else is said of lists that are judged by P@10, 0 or 1 a query: whether the first page is right, and whether any of ten is. */
export interface Hits {
  readonly first: Float64Array;
  readonly any: Float64Array;
}

/** Scores lists as one judge does, query by query. */
export class ListScorer {
  readonly #pages: readonly number[];
  readonly #queries: readonly { readonly row: number; readonly page: number }[];
  readonly #score: ReturnType<Judge['scorer']>;

  constructor(judge: Judge, { pages, texts }: Rows) {
    const isJudged = new Set(judge.pages);
    const asking = judge.texts === null ? pages : texts;
    const firstRow = judge.texts === null ? 0 : pages.length;
    this.#pages = pages;
    this.#queries = asking.flatMap((page, i) => (isJudged.has(page) ? [{ row: firstRow + i, page }] : []));
    const candidates = new Set(judge.candidates);
    this.#score = judge.scorer(pages.filter((page) => candidates.has(page)));
  }

  get queryCount(): number {
    return this.#queries.length;
  }

  scores({ votes, similarity }: ListsByRank): Record<Rank, Float64Array> {
    return { votes: this.#scores(votes), similarity: this.#scores(similarity) };
  }

  /** Of a judge by precision. */
  hits({ votes, similarity }: ListsByRank): Record<Rank, Hits> {
    const of = (lists: RankedLists): Hits => {
      const isHit = (most: number) => this.#scores(lists, most).map((score) => (score > 0 ? 1 : 0));
      return { first: isHit(1), any: isHit(K) };
    };
    return { votes: of(votes), similarity: of(similarity) };
  }

  /** Of the first `most` pages of each list. */
  #scores({ k, counts, ids }: RankedLists, most = k): Float64Array {
    return Float64Array.from(this.#queries, ({ row, page }) => {
      const list = ids.subarray(row * k, row * k + Math.min(most, counts[row]!));
      return this.#score(
        page,
        Array.from(list, (other) => this.#pages[other]!),
      );
    });
  }

  /** Either half by chance. */
  halves(seed: number): QueryHalves {
    const random = new Random(seed);
    const tuned: number[] = [];
    const heldOut: number[] = [];
    for (const query of this.#queries.keys()) (random.below(2) === 0 ? tuned : heldOut).push(query);
    return { tuned, heldOut };
  }
}
