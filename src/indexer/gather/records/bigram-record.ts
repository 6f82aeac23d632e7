import { pairKey } from '../../../features/pair-tally.ts';
import { type ByteReader, ByteWriter } from '../../files/records/bytes.ts';
import { CountsBuffer } from './counts-buffer.ts';

/** Pairs of neighboring words of a page; each word by the place of its stem in the counts of the content. */
export interface Bigrams {
  readonly lefts: ArrayLike<number>;
  readonly rights: ArrayLike<number>;
  readonly tfs: ArrayLike<number>;
  /** `formHash` of the two words in the first use of the pair. */
  readonly leftForms: ArrayLike<number>;
  readonly rightForms: ArrayLike<number>;
}

const out = new ByteWriter();

/**
 * Of each pair: place of the left stem, of the right one, uses. A place is stored as 2p, or as 2p + 1 where the form is
 * not the one in which the content has the stem first; then it follows. The view is valid until the next call.
 *
 * @param forms of the stems of the content.
 */
export function packBigrams(bigrams: Bigrams, forms: Uint32Array): Uint8Array {
  const { lefts, rights, tfs, leftForms, rightForms } = bigrams;
  out.clear();
  for (let i = 0; i < lefts.length; i++) {
    writeWord(lefts[i]!, leftForms[i]!, forms);
    writeWord(rights[i]!, rightForms[i]!, forms);
    out.varint(tfs[i]!);
  }
  return out.view();
}

function writeWord(place: number, form: number, forms: Uint32Array): void {
  const isFirst = forms[place] === form;
  out.varint(2 * place + (isFirst ? 0 : 1));
  if (!isFirst) out.varint(form);
}

/** The counts of one page after the other: the key of a pair is its `pairKey`. */
export class BigramsBuffer extends CountsBuffer {
  /** Of pair i at 2i and 2i + 1, with room for more: `key53` of the stems of its words, and the `formHash` of each. */
  stemKeys = new Float64Array(2048);
  wordForms = new Uint32Array(2048);

  /** Takes what `packBigrams` wrote of a page with these counts of its content. */
  unpack(from: ByteReader, sizeBytes: number, content: CountsBuffer): void {
    const end = from.at + sizeBytes;
    // A pair takes three bytes at least.
    this.clear(Math.ceil(sizeBytes / 3));
    this.#fit(2 * Math.ceil(sizeBytes / 3));
    const { stemKeys, wordForms } = this;
    for (let at = 0; from.at < end; at += 2) {
      for (let side = at; side < at + 2; side++) {
        const word = from.varint();
        const place = word >>> 1;
        stemKeys[side] = content.keys[place]!;
        wordForms[side] = word % 2 === 0 ? content.forms[place]! : from.varint();
      }
      this.push(pairKey(stemKeys[at]!, stemKeys[at + 1]!), from.varint());
    }
  }

  #fit(length: number): void {
    if (length <= this.stemKeys.length) return;
    this.stemKeys = new Float64Array(2 * length);
    this.wordForms = new Uint32Array(2 * length);
  }
}
