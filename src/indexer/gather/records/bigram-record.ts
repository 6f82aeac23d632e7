import { pairKey } from '../../../features/counts/pair-tally.ts';
import { type ByteReader, ByteWriter } from '../../files/records/bytes.ts';
import { RecordForm, uint32s } from '../../files/records/record-form.ts';
import { CountsBuffer } from './counts-buffer.ts';

/** Pairs of neighboring words of a page; each word by the place of its stem in the counts of the content. */
export interface Bigrams {
  readonly lefts: ArrayLike<number>;
  readonly rights: ArrayLike<number>;
  readonly tfs: Uint32Array;
  /** `formHash` of the two words in the first use of the pair. */
  readonly leftForms: ArrayLike<number>;
  readonly rightForms: ArrayLike<number>;
}

const PAIRS = new RecordForm({
  /** The place of each stem as 2p, or as 2p + 1 where the form is not the one in which the content has the stem first. */
  lefts: uint32s,
  rights: uint32s,
  tfs: uint32s,
  /** These other forms: of the lefts, then of the rights. */
  forms: uint32s,
});
const out = new ByteWriter();

/**
 * The view is valid until the next call.
 *
 * @param forms of the stems of the content.
 */
export function packBigrams(bigrams: Bigrams, forms: Uint32Array): Uint8Array {
  const others: number[] = [];
  const packed = (places: ArrayLike<number>, ofWords: ArrayLike<number>) => {
    const words = new Uint32Array(places.length);
    for (let i = 0; i < words.length; i++) {
      const isFirst = forms[places[i]!] === ofWords[i];
      words[i] = 2 * places[i]! + (isFirst ? 0 : 1);
      if (!isFirst) others.push(ofWords[i]!);
    }
    return words;
  };
  const lefts = packed(bigrams.lefts, bigrams.leftForms);
  const rights = packed(bigrams.rights, bigrams.rightForms);
  out.clear();
  PAIRS.write(out, { lefts, rights, tfs: bigrams.tfs, forms: new Uint32Array(others) });
  return out.view();
}

/** The counts of one page after the other: the key of a pair is its `pairKey`. */
export class BigramsBuffer extends CountsBuffer {
  /** Of pair i at 2i and 2i + 1, with room for more: `key53` of the stems of its words, and the `formHash` of each. */
  stemKeys = new Float64Array(2048);
  wordForms = new Uint32Array(2048);

  /** Takes what `packBigrams` wrote of a page with these counts of its content. */
  unpack(from: ByteReader, content: CountsBuffer): void {
    const { lefts, rights, tfs, forms } = PAIRS.read(from);
    this.clear(tfs.length);
    this.#fit(2 * tfs.length);
    const { stemKeys, wordForms } = this;
    let next = 0;
    for (const [side, words] of [lefts, rights].entries()) {
      for (let i = 0; i < words.length; i++) {
        const place = words[i]! >>> 1;
        stemKeys[2 * i + side] = content.keys[place]!;
        wordForms[2 * i + side] = words[i]! % 2 === 0 ? content.forms[place]! : forms[next++]!;
      }
    }
    for (let i = 0; i < tfs.length; i++) this.push(pairKey(stemKeys[2 * i]!, stemKeys[2 * i + 1]!), tfs[i]!);
  }

  #fit(length: number): void {
    if (length <= this.stemKeys.length) return;
    this.stemKeys = new Float64Array(2 * length);
    this.wordForms = new Uint32Array(2 * length);
  }
}
