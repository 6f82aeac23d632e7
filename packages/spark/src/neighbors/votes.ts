/**
 * The order of a page's list by votes (join/pairs/votes.ts). A group is a page: the row whose `owner_id` is the page
 * itself has its list, with how near each page is (join/pairs/nearness.ts), the others the lists of its neighbors, each as
 * `id shared total` in threes, nearest first.
 */
import type { NeighborSpan } from 'akin-web/rooms/join/pairs/neighbor-table';
import { placesByScore, VoteCount } from 'akin-web/rooms/join/pairs/votes';
import { keptIn } from 'akin-web/rooms/lib/kept';
import type { RowOf } from '../record/columns.ts';
import { numbersOf } from '../record/packed.ts';
import { byGroup, defineStage } from '../record/stage.ts';

/** Ids as VoteCount takes them, 32 bits: of the page, of its list and of theirs, numbered as they are met. */
class Numbering {
  readonly ids: number[] = [];
  readonly #numbers = new Map<number, number>();

  of(id: number): number {
    return keptIn(this.#numbers, id, () => this.ids.push(id) - 1);
  }
}

const NO_LIST: NeighborSpan = {
  ids: new Uint32Array(0),
  shared: new Uint16Array(0),
  total: new Uint16Array(0),
  start: 0,
  end: 0,
};

const INPUT = {
  page_id: 'long',
  owner_id: 'long',
  list: 'text',
  /** One of each page of the list, separated by blanks; of the page's own list alone. */
  nearness: 'text',
} as const;
const OUTPUT = {
  page_id: 'long',
  rank: 'int',
  neighbor_id: 'long',
  shared: 'int',
  total: 'int',
  nearness: 'int',
  /** What its rank comes from; see join/pairs/votes.ts. */
  score: 'double',
} as const;

export const votesStage = defineStage({
  name: 'votes',
  doc: 'puts the neighbors of a page in the order of their votes',
  order: 'the rows of a page together',
  input: INPUT,
  output: OUTPUT,
  open() {
    const count = new VoteCount();
    return byGroup<RowOf<typeof INPUT>, RowOf<typeof OUTPUT>>('page_id', (rows, emit) => {
      const numbering = new Numbering();
      const page = rows[0]!.page_id;
      const self = numbering.of(page);
      const lists = new Map(
        rows.map(({ owner_id, list }) => [numbering.of(owner_id), spanOf(list, numbering)]),
      );
      const listed = lists.get(self);
      if (listed === undefined) throw new TypeError(`page ${page} came without its own list`);
      const nearness = Uint16Array.from(numbersOf(rows.find(({ owner_id }) => owner_id === page)!.nearness));
      const own = { ...listed, nearness };
      const scores = count.scores(own, self, (number) => lists.get(number) ?? NO_LIST);
      for (const [rank, place] of placesByScore(own, scores).entries()) {
        emit({
          page_id: page,
          rank,
          neighbor_id: numbering.ids[own.ids[place]!]!,
          shared: own.shared[place]!,
          total: own.total[place]!,
          nearness: nearness[place]!,
          score: scores[place]!,
        });
      }
    });
  },
});

function spanOf(list: string, numbering: Numbering): NeighborSpan {
  const numbers = numbersOf(list);
  const size = numbers.length / 3;
  const column = (at: number) => Array.from({ length: size }, (_, i) => numbers[3 * i + at]!);
  return {
    ids: Uint32Array.from(column(0), (id) => numbering.of(id)),
    shared: Uint16Array.from(column(1)),
    total: Uint16Array.from(column(2)),
    start: 0,
    end: size,
  };
}
