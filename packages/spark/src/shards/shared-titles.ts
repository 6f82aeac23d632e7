import { SharedTitles, withoutShared } from 'akin-web/rooms/page/shared-titles';
import { bytesOf } from 'akin-web/rooms/store/blobs/blobs';
import { defineStage, type Emit } from '../record/stage.ts';

/** The stage `shared-titles`: what the titles of each host share. */
export const sharedTitlesStage = defineStage({
  name: 'shared-titles',
  doc: 'what the titles of each host have in common',
  order: 'by origin',
  input: { origin: 'text', title: 'text' },
  output: { origin: 'text', shared: 'binary' },
  open() {
    const titles = new SharedTitles();
    let at: string | null = null;
    const close = (emit: Emit<{ origin: string; shared: Uint8Array }>) => {
      const shared = titles.take();
      if (at !== null && shared.size > 0) {
        emit({ origin: at, shared: bytesOf(Float64Array.from(shared).sort()) });
      }
    };
    return {
      take({ origin, title }, emit) {
        if (origin !== at) close(emit);
        at = origin;
        titles.add(title);
      },
      end: close,
    };
  },
});

/** The stage `shown-title`: titles without what those of their host share. */
export const shownTitleStage = defineStage({
  name: 'shown-title',
  doc: 'titles without what the titles of their host have in common',
  order: null,
  input: { page_id: 'long', title: 'text', shared: 'binary' },
  output: { page_id: 'long', title: 'text' },
  open: () => ({
    take({ page_id, title, shared }, emit) {
      const keys = new Float64Array(Uint8Array.from(shared).buffer);
      emit({ page_id, title: withoutShared(title, new Set(keys)) });
    },
  }),
});
