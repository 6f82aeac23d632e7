/**
 * What the neighbor join needs of a bag, made once: the bag packed, its one-byte row for the row filter, and the
 * min-hash values that sort it into buckets. The functions and their seeds are those of the local graph.
 *
 *   minima   | 4 values of repetition 0 | 4 of repetition 1 | ...   4 bytes each, big-endian
 *
 * The first 4 d bytes of a repetition name the bucket of depth d, so a bucket's key is a substring.
 */
import { UNIT_PAGES } from 'akin-web/rooms/join/buckets/space/join-space';
import { JoinThread } from 'akin-web/rooms/join/buckets/space/join-thread';
import { signColumns, signRows } from 'akin-web/rooms/join/buckets/steps/sign-rows';
import { GROUP_FUNCTIONS, ROW_BYTES } from 'akin-web/rooms/sketch/page-kernel';
import { encodeBag } from 'akin-web/rooms/store/blobs/blobs';
import { uint32s } from '../record/packed.ts';
import { defineStage, type Emit } from '../record/stage.ts';
import { spaceOfBags } from './bag-space.ts';
import { numberFound } from './found.ts';

interface PageBag {
  readonly id: number;
  readonly features: Uint32Array;
  readonly weights: Uint8Array;
}

/** A bag that is ready to be joined. */
interface Signed {
  readonly page_id: number;
  readonly entries: Uint8Array;
  readonly row: Uint8Array;
  readonly minima: Uint8Array;
}

export const signatureStage = defineStage({
  name: 'signature',
  doc: 'packs a bag, and draws its row and its min-hash values',
  order: null,
  input: { page_id: 'long', features: 'binary', weights: 'binary' },
  output: { page_id: 'long', entries: 'binary', row: 'binary', minima: 'binary' },
  open({ options, found }) {
    const blocks = numberFound(found, 'blocks');
    let batch: PageBag[] = [];
    const flush = (emit: Emit<Signed>) => {
      if (batch.length > 0) sign(batch, options.seed, blocks, emit);
      batch = [];
    };
    return {
      take({ page_id, features, weights }, emit) {
        batch.push({ id: page_id, features: uint32s(features), weights: Uint8Array.from(weights) });
        if (batch.length === UNIT_PAGES) flush(emit);
      },
      end: flush,
    };
  },
});

function sign(batch: readonly PageBag[], seed: number, blocks: number, emit: Emit<Signed>): void {
  const { space } = spaceOfBags(batch, 0, { seed });
  const thread = new JoinThread(space, 0);
  signRows(thread, 0);
  const valuesAPage = blocks * GROUP_FUNCTIONS;
  const minima = new DataView(new ArrayBuffer(4 * valuesAPage * batch.length));
  for (let block = 0; block < blocks; block++) {
    signColumns(thread, 0, block);
    for (let column = 0; column < GROUP_FUNCTIONS; column++) {
      for (let i = 0; i < batch.length; i++) {
        const place = i * valuesAPage + block * GROUP_FUNCTIONS + column;
        minima.setUint32(4 * place, space.columns[column * batch.length + i]!);
      }
    }
  }
  for (const [i, bag] of batch.entries()) {
    emit({
      page_id: bag.id,
      entries: encodeBag(bag.features, bag.weights).slice(),
      row: thread.bytes.slice(space.rows + ROW_BYTES * i, space.rows + ROW_BYTES * (i + 1)),
      minima: new Uint8Array(minima.buffer, 4 * valuesAPage * i, 4 * valuesAPage),
    });
  }
}
