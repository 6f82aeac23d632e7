import { KeySum } from '../../../lib/keys/key-sum.ts';
import type { ByteReader, ByteWriter } from '../../files/records/bytes.ts';
import { listOf, RecordForm, text, varint } from '../../files/records/record-form.ts';
import { CountsBuffer } from './counts-buffer.ts';
import { counts } from './page-record.ts';

/** Texts of a sum that is packed: a URL may have millions, of which the title takes one. */
const PACKED_TEXTS = 4096;

/** What a sum is packed as, before its words. */
const textCounts = listOf(new RecordForm({ anchorText: text, count: varint }));

/**
 * The anchor windows of the links to one URL after the other: the sum of their words, and how often each anchor text
 * occurs. Sums can be packed and added to others, so that windows need not meet in one place first.
 */
export class AnchorSum {
  readonly #words = new KeySum();
  readonly #texts = new Map<string, number>();
  readonly #counts = new CountsBuffer();
  #wantsTexts = true;

  /** Forgets the texts of the URL before; its words were taken. */
  begin(wantsTexts: boolean): void {
    this.#wantsTexts = wantsTexts;
    this.#texts.clear();
  }

  /** Adds a window once for each of its captures that counts; returns how many do. `from` stands at the anchor text of a fragment record. */
  add(from: ByteReader, counts: (sequence: number) => boolean): number {
    const textAt = from.at;
    text.skip(from);
    this.#counts.read(from);
    let times = 0;
    for (let n = from.varint(); n > 0; n--) if (counts(from.varint())) times++;
    if (times === 0) return 0;
    this.#addWords(times);
    if (this.#wantsTexts) {
      from.at = textAt;
      this.#addText(text.read(from), times);
    }
    return times;
  }

  /** Adds what `pack` wrote. */
  addPacked(from: ByteReader): void {
    if (this.#wantsTexts)
      for (const { anchorText, count } of textCounts.read(from)) this.#addText(anchorText, count);
    else textCounts.skip(from);
    this.#counts.read(from);
    this.#addWords(1);
  }

  #addText(anchorText: string, count: number): void {
    if (anchorText !== '') this.#texts.set(anchorText, (this.#texts.get(anchorText) ?? 0) + count);
  }

  #addWords(times: number): void {
    const { keys, tfs, length } = this.#counts;
    for (let i = 0; i < length; i++) this.#words.add(keys[i]!, times * tfs[i]!);
  }

  /** The text with the highest count, of equals the first in string order; '' where there is none. */
  mostFrequentText(): string {
    let best = '';
    let bestCount = 0;
    for (const [text, count] of this.#texts) {
      if (count > bestCount || (count === bestCount && text < best)) {
        best = text;
        bestCount = count;
      }
    }
    return best;
  }

  /** The words ascending by key with their sums; none stay. */
  takeWords(): { keys: Float64Array; sums: Uint32Array } {
    return this.#words.take();
  }

  /**
   * Writes the texts with their counts, the most frequent where there are more than PACKED_TEXTS, and the words. Nothing stays.
   * Returns how many texts were left out.
   */
  pack(out: ByteWriter): number {
    let texts = [...this.#texts];
    const leftOut = Math.max(0, texts.length - PACKED_TEXTS);
    if (leftOut > 0) {
      texts.sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
      texts = texts.slice(0, PACKED_TEXTS);
    }
    textCounts.write(
      out,
      texts.map(([anchorText, count]) => ({ anchorText, count })),
    );
    this.#texts.clear();
    const { keys, sums: tfs } = this.takeWords();
    counts.write(out, { keys, tfs });
    return leftOut;
  }
}
