import { ByteReader, ByteWriter } from 'akin-web/rooms/indexer/files/records/bytes';
import { AnchorSum } from 'akin-web/rooms/indexer/gather/records/anchor-sum';
import { readFragmentHead } from 'akin-web/rooms/indexer/gather/records/page-record';
import { listIn } from 'akin-web/rooms/lib/kept';
import type { RowOf } from '../record/columns.ts';
import { defineStage, type Emit } from '../record/stage.ts';

/** URLs whose sums are held at once: some hundred bytes each. */
const MAX_HELD_URLS = 1 << 15;
/** Windows as they came that are held at once. */
const MAX_HELD_BYTES = 1 << 26;

const OUTPUT = {
  /** That links lead to. */
  url: 'text',
  /** Sums of windows, as `AnchorSum` packs them. */
  windows: 'binary',
  window_count: 'long',
  /** Different anchor texts that are not in the sum, as it has enough that are as frequent. */
  left_out_texts: 'long',
} as const;

/**
 * The stage `windows`: the anchor windows of pages, credited to the URLs that the links lead to.
 *
 * Sums what comes for one URL before it goes on its way, so that a URL that ten million pages link to costs the next step
 * a record a task, not a record a link; the menus of a site are summed at once. A URL may come several times.
 */
export const windowsStage = defineStage({
  name: 'windows',
  doc: 'the words around the links of pages, summed by the URL that they lead to',
  order: null,
  input: { windows: 'binary' },
  output: OUTPUT,
  open() {
    const held = new Map<string, Buffer[]>();
    const sum = new AnchorSum();
    const out = new ByteWriter();
    let heldBytes = 0;
    const flush = (emit: Emit<RowOf<typeof OUTPUT>>) => {
      for (const [url, windows] of held) {
        sum.begin(true);
        let window_count = 0;
        for (const window of windows) window_count += sum.add(new ByteReader(window), () => true);
        out.clear();
        const left_out_texts = sum.pack(out);
        emit({ url, windows: out.view(), window_count, left_out_texts });
      }
      held.clear();
      heldBytes = 0;
    };
    return {
      take({ windows }, emit) {
        for (const from = new ByteReader(windows); !from.done; ) {
          const fragment = from.raw(from.varint());
          const head = new ByteReader(fragment);
          const { url } = readFragmentHead(head);
          const window = fragment.subarray(head.at);
          listIn(held, url).push(window);
          heldBytes += window.length;
        }
        if (held.size >= MAX_HELD_URLS || heldBytes >= MAX_HELD_BYTES) flush(emit);
      },
      end: flush,
    };
  },
});
