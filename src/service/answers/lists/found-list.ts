/** A list that is found, and how it is written: put together from parts that are JSON already. */
import type { NeighborSpan } from '../../../join/pairs/neighbor-table.ts';
import type { Generation } from '../../held/generation.ts';
import type { JsonWriter } from '../../http/json-writer.ts';
import { makeCursor } from '../../http/request-key.ts';
import type { Measure } from '../../schemas/fields.ts';
import type { EmptyReason } from '../../schemas/list-answers.ts';
import type { Narrowing } from '../../schemas/list-parameters.ts';
import { writeCard } from '../pages/card-fields.ts';
import type { Subject } from './page-filter.ts';
import type { Selection } from './selection.ts';

export interface FoundList {
  readonly more: boolean;
  /** Null unless the whole list is empty. */
  readonly emptyReason: EmptyReason | null;
  pageIds(): readonly number[];
  writeItems(json: JsonWriter, generation: Generation): void;
  /** What only lists of this kind say, as members of the answer. */
  readonly tail: string;
}

/** From `,"by":` on; `hash` names the request (`textHash`) and goes into the cursor of the next page. */
export function writeList(
  json: JsonWriter,
  generation: Generation,
  list: FoundList,
  { by, limit }: Narrowing,
  offset: number,
  hash: string,
): void {
  json.text(`,"by":"${by}","generation":"${generation.id}","related":[`);
  list.writeItems(json, generation);
  const reason = list.emptyReason === null ? 'null' : `"${list.emptyReason}"`;
  const next = list.more ? `"${makeCursor(generation.id, hash, offset + limit)}"` : 'null';
  json.text(`],"empty_reason":${reason},"next":${next}${list.tail}`);
}

interface Ending {
  readonly last: Buffer;
  /** The same, and the beginning of the next item. */
  readonly next: Buffer;
}

/** What stands behind a similarity, by measure. */
const SAME_SITE = endings(true);
const ELSEWHERE = endings(false);

function endings(isSameSite: boolean): Record<Measure, Ending> {
  const ending = (measure: Measure) => {
    const text = `,"measure":"${measure}","same_site":${isSameSite}`;
    return { last: Buffer.from(text), next: Buffer.from(`${text}},{`) };
  };
  return { exact: ending('exact'), estimate: ending('estimate'), score: ending('score') };
}

/** Neighbors of one measure, with the figures that they were found by. */
export class SelectedList implements FoundList {
  readonly more: boolean;
  readonly emptyReason: EmptyReason | null;
  readonly tail = '';
  readonly #span: NeighborSpan;
  readonly #subject: Subject;
  readonly #measure: Measure;
  readonly #why: ((pageId: number) => string) | null;
  readonly #cards: boolean;

  /** `why` where the answer is to be explained: members of the item of a page. */
  constructor(
    { span, more, emptyReason }: Selection,
    subject: Subject,
    measure: Measure,
    why: ((pageId: number) => string) | null,
    cards: boolean,
  ) {
    this.more = more;
    this.emptyReason = emptyReason;
    this.#span = span;
    this.#subject = subject;
    this.#measure = measure;
    this.#why = why;
    this.#cards = cards;
  }

  pageIds(): readonly number[] {
    const { ids, start, end } = this.#span;
    return [...ids.subarray(start, end)];
  }

  /** As few pieces as can be: each costs a call. */
  writeItems(json: JsonWriter, generation: Generation): void {
    const { catalog } = generation;
    const { ids, shared, total, start, end } = this.#span;
    if (start === end) return;
    const here = SAME_SITE[this.#measure];
    const elsewhere = ELSEWHERE[this.#measure];
    catalog.touch(this.#span);
    json.text('{');
    for (let at = start; at < end; at++) {
      const pageId = ids[at]!;
      catalog.writeItem(json, pageId);
      json.similarity(shared[at]!, total[at]!);
      const ending = this.#subject.sameSite(pageId) ? here : elsewhere;
      if (this.#why === null && !this.#cards) {
        json.bytes(at < end - 1 ? ending.next : ending.last);
        continue;
      }
      json.bytes(ending.last);
      if (this.#why !== null) json.text(this.#why(pageId));
      if (this.#cards) writeCard(json, generation, pageId);
      if (at < end - 1) json.text('},{');
    }
    json.text('}');
  }
}
