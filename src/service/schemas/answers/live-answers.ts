import type { Static } from 'typebox';
import { Type } from '../../../lib/json-schema.ts';
import { closedAs, count, exact, orNull, ref } from '../fields.ts';

const sequence = count('Number of the last page that was kept. It only grows.');

/** What becomes of a page that is handed over and kept, or is there in a later state. */
export const WRITTEN = ['added', 'changed', 'unchanged', 'older', 'deleted'] as const;

export const WrittenPageSchema = exact('WrittenPage', {
  url: Type.String({ description: 'Canonical.' }),
  state: Type.Enum(WRITTEN, {
    description:
      'unchanged: its title and text are as before; other links and fields and a later date are kept all the same. older: by its fetched_at, and not kept.',
  }),
  sequence,
});

export const LineFaultSchema = exact('LineFault', {
  line: Type.Integer({ minimum: 1 }),
  url: orNull(Type.String()),
  code: Type.String(),
  detail: Type.String(),
});

export const WrittenPagesSchema = exact('WrittenPages', {
  received: count(
    'Lines with a page, of which the counts are; fewer than were sent where stopped is not null.',
  ),
  added: count('New pages.'),
  changed: count('Pages whose title or text is another one.'),
  unchanged: count('Pages of the same title and text.'),
  older: count('Pages that are there in a later state.'),
  deleted: count('Pages that are gone.'),
  failed: count('Lines that were not kept.'),
  errors: Type.Array(ref(LineFaultSchema), { description: 'Of the first 100 of these.' }),
  stopped: orNull(
    closedAs(
      'Where there was no room for more: this line and all behind it were not kept. Send them again, after Retry-After.',
      {
        line: Type.Integer({ minimum: 1, description: 'From 1 on.' }),
        code: Type.String({ description: 'Of the problem: too-many-pending, journal-full, ...' }),
        detail: Type.String(),
      },
    ),
  ),
  sequence,
});

export const PendingSchema = exact('Pending', {
  count: count('Pages that are kept, and not yet in the index.'),
  bytes: count('Their size.'),
  oldest: orNull(Type.String({ description: 'When the one that waits longest came.' })),
  damaged: count('Of records that are damaged and were passed over; hand their pages over again.'),
  folding: orNull(Type.String({ description: 'Id of the fold under way.' })),
  sequence,
});

export const FoldSchema = exact('Fold', {
  id: Type.String(),
  state: Type.Enum(['running', 'done', 'failed'], {
    description: 'failed: detail says why. The pages wait for the next fold.',
  }),
  sequence: count('Pages up to this number are in the index once it is done.'),
  started_at: Type.String(),
  ended_at: orNull(Type.String()),
  detail: orNull(Type.String({ description: 'Why it failed; the log has more.' })),
});

export type WrittenPageAnswer = Static<typeof WrittenPageSchema>;
export type WrittenPagesAnswer = Static<typeof WrittenPagesSchema>;

/** Counts of no line at all. */
export const NONE_WRITTEN = { added: 0, changed: 0, unchanged: 0, older: 0, deleted: 0, failed: 0 } as const;

export type PendingAnswer = Static<typeof PendingSchema>;
export type FoldAnswer = Static<typeof FoldSchema>;
