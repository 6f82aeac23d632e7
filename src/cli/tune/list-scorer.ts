import type { QueryHalves } from '../../evaluate/climb.ts';
import type { ListsByRank, Rank, RankedLists } from '../../indexer/tune/lists-of-bags.ts';
import { Random } from '../../lib/random.ts';
import type { Judge } from './judge.ts';

/** What the rows of lists stand for: pages, then the pages that texts ask for. */
interface Rows {
  readonly pages: readonly number[];
  readonly texts: readonly number[];
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

  #scores({ k, counts, ids }: RankedLists): Float64Array {
    return Float64Array.from(this.#queries, ({ row, page }) => {
      const list = ids.subarray(row * k, row * k + counts[row]!);
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
