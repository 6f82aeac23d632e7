import type { Static } from 'typebox';
import { Type } from '../../../lib/json-schema.ts';
import {
  answer,
  closed,
  closedAs,
  exact,
  fetchedAt,
  flag,
  generation,
  listOf,
  measure,
  NEWS,
  next,
  orNull,
  ref,
  replayUrl,
  share,
} from '../fields.ts';
import { ResultContainmentSchema } from './copy-answers.ts';

const STATES = ['current', 'not_seen_since', 'never_read', 'gone', 'not_indexed'] as const;
export type State = (typeof STATES)[number];

/** In the order of their weight. */
export const EVIDENCE = ['redirect', 'canonical', 'same_text', 'resemblance', 'title'] as const;
export type Evidence = (typeof EVIDENCE)[number];

export const CHANGES = [
  'first',
  'identical',
  'lexically_equal',
  'shingle_equal',
  'minor',
  'major',
  'rewritten',
] as const;
export type Change = (typeof CHANGES)[number];

/** How surely a lost page is where a candidate is, the surest first. */
const STRENGTHS = ['now_at', 'parts_in', 'perhaps', 'gone'] as const;
export type Strength = (typeof STRENGTHS)[number];
/** Share of a text from which a page that has it now is called its new place. */
export const MOST_FROM = 0.5;

/** From here on a change is called minor: one word in a hundred changed leaves about .82, a date line more. */
export const MINOR_FROM = 0.9;
/** From here on the page is still a copy of what it was. */
export const MAJOR_FROM = 0.5;

const sweepTime = { sweep: Type.String(), fetched_at: fetchedAt };
export const seenFields = { ...sweepTime, replay_url: replayUrl };
const seen = closed(seenFields);
const state = Type.Enum(STATES, {
  description:
    'current: there is a page at this URL, as far as the sweeps know. not_seen_since: a later sweep has all there was of its site or host (added as the whole of it, or a crawl that left nothing out), and did not meet it; any other sweep says nothing of pages that it does not have. never_read: known by links alone. gone: a sweep found it gone (404, 410) or leading elsewhere, and none has had it since. not_indexed: with missing=200, the index does not know it.',
});
export const knownState = { state, last_seen: orNull(seen) };
const gone = Type.Boolean({ description: 'Whether `state` is gone.' });

const complete = flag('False where a bound on the search, or a lost shard, left something out.');

export const MovedCandidateSchema = exact('MovedCandidate', {
  url: Type.String(),
  title: Type.String(),
  evidence: listOf(
    Type.Enum(EVIDENCE),
    'redirect, canonical: the URL leads there. same_text: title and text were the same. resemblance: so much of the text. title: the same title.',
  ),
  resemblance: orNull(
    share(
      'Of the lost text with the one that this page has now, if `holds_now`, else with the one since then that resembles it most.',
    ),
  ),
  containment: orNull(ref(ResultContainmentSchema)),
  measure: orNull(measure),
  holds_now: flag('Whether the text that it has now holds min_containment of the lost one.'),
  strength: Type.Enum(STRENGTHS, {
    description: `now_at: the page is there and has ${MOST_FROM} or more of the lost text, or the URL leads there and the page does not say something else. parts_in: it is there and has less of it, at least min_containment. perhaps: all else. gone: the candidate is lost itself.`,
  }),
  state,
  current: Type.Boolean({ description: 'Whether `state` is current; such candidates come first.' }),
  last_seen: orNull(seen),
  gone_since: orNull(
    closedAs(
      'The sweep that found it gone, and when it did; of an answer without a date when the sweep was read.',
      sweepTime,
    ),
  ),
  now_at: orNull(
    closedAs(
      'Of a candidate that had the text and is lost itself: where its own text is now, or that of its place, three steps on at most; of the first three such candidates.',
      { url: Type.String(), title: Type.String() },
    ),
  ),
  passage: orNull(Type.String(), {
    description:
      'The longest passage of the lost text that it has now, cut to some 240 characters; of the first ten candidates, where the index keeps texts.',
  }),
});

/** The page that is asked about. */
export const subjectFields = {
  url: Type.String(),
  title: Type.String(),
  generation,
  state,
  gone,
  last_seen: orNull(seen),
};

export const MovedSchema = answer(
  'Moved',
  {
    ...subjectFields,
    lost: orNull(
      closedAs(
        'The capture whose text is sought: the one of `capture`, or of a page in use the latest whose text is not there any more; where there is none, the last.',
        seenFields,
      ),
    ),
    candidates: listOf(
      ref(MovedCandidateSchema),
      'Likeliest first; never the page itself. Of a text that is still there, what else has it: it has not moved.',
    ),
    complete,
    next,
  },
  {
    examples: [
      {
        url: 'https://example.org/old',
        title: 'Growing roses',
        generation: '3f7a9c0de1b24586',
        state: 'gone',
        gone: true,
        last_seen: { sweep: '2026-01', fetched_at: '2026-01-02T03:04:05.000Z' },
        lost: { sweep: '2026-01', fetched_at: '2026-01-02T03:04:05.000Z' },
        candidates: [
          {
            url: 'https://example.org/new',
            title: 'Growing roses',
            evidence: ['resemblance', 'title'],
            resemblance: 0.92,
            containment: { asked_in_result: 0.97, result_in_asked: 0.95 },
            measure: 'exact',
            holds_now: true,
            strength: 'now_at',
            state: 'current',
            current: true,
            last_seen: { sweep: '2026-02', fetched_at: '2026-02-02T03:04:05.000Z' },
            gone_since: null,
            now_at: null,
            passage: 'When to prune a rose, and how far back to cut its canes.',
          },
        ],
        complete: true,
        next: null,
      },
    ],
  },
);

export const CaptureSchema = exact('Capture', {
  sweep: Type.String(),
  fetched_at: fetchedAt,
  digest: Type.String({ description: 'Of title and text.' }),
  token_count: Type.Integer(),
  changed: Type.Enum(CHANGES, {
    description: `Against the capture before. identical: title and text are the same. lexically_equal: the same words in the same order (another title, punctuation, case). shingle_equal: the same shingles in another order or number. minor: resemblance of ${MINOR_FROM} or more. major: of ${MAJOR_FROM} or more. rewritten: less.`,
  }),
  resemblance: orNull(share()),
  containment: orNull(
    closed({
      before_in_this: share('Share of the text before that is still here.'),
      this_in_before: share(),
    }),
  ),
  measure: orNull(measure),
  replay_url: replayUrl,
});

export const HistorySchema = answer(
  'History',
  {
    ...subjectFields,
    total: Type.Integer({ description: 'Captures of the page.' }),
    captures: Type.Array(ref(CaptureSchema), { description: 'Oldest first.' }),
    next,
  },
  {
    examples: [
      {
        url: 'https://example.org/a',
        title: 'Growing roses',
        generation: '3f7a9c0de1b24586',
        state: 'current',
        gone: false,
        last_seen: { sweep: '2026-02', fetched_at: '2026-02-02T03:04:05.000Z' },
        total: 2,
        captures: [
          {
            sweep: '2026-01',
            fetched_at: '2026-01-02T03:04:05.000Z',
            digest: '0f1e2d3c4b5a6978',
            token_count: 410,
            changed: 'first',
            resemblance: null,
            containment: null,
            measure: null,
          },
          {
            sweep: '2026-02',
            fetched_at: '2026-02-02T03:04:05.000Z',
            digest: '8796a5b4c3d2e1f0',
            token_count: 425,
            changed: 'minor',
            resemblance: 0.92,
            containment: { before_in_this: 0.97, this_in_before: 0.95 },
            measure: 'exact',
          },
        ],
        next: null,
      },
    ],
  },
);

/** A page that is lost, and where it may be. */
export const LostPageSchema = exact('LostPage', {
  url: Type.String(),
  title: Type.String(),
  ...knownState,
  candidate: orNull(ref(MovedCandidateSchema)),
  complete,
});

export const LostSchema = answer(
  'Lost',
  {
    generation,
    pages: Type.Array(ref(LostPageSchema), { description: 'In the order of their URLs.' }),
    looked_at: Type.Integer({ description: 'Pages of the index that were looked at for this answer.' }),
    next,
  },
  {
    examples: [{ generation: '3f7a9c0de1b24586', pages: [], looked_at: 1265, next: null }],
  },
);

export const ChangesSchema = answer(
  'Changes',
  {
    generation,
    sweep: Type.String({ description: 'The sweep that is asked about, against all before it.' }),
    pages: listOf(
      closed({
        url: Type.String(),
        title: Type.String(),
        news: Type.Enum(NEWS, {
          description: `new: no sweep before had it. minor, major, rewritten: its text against the one before, as GET /history says. lost: it is lost, and the sweep before this one was the last that had it.`,
        }),
        fetched_at: fetchedAt,
        resemblance: orNull(share('Of the text with the one before; null where one of them is not there.')),
      }),
      'In the order of their URLs.',
    ),
    looked_at: Type.Integer({ description: 'Pages of the index that were looked at for this answer.' }),
    next,
  },
  {
    examples: [
      {
        generation: '3f7a9c0de1b24586',
        sweep: '2026-02',
        pages: [
          {
            url: 'https://example.org/roses/',
            title: 'Growing roses',
            news: 'minor',
            fetched_at: '2026-02-02T03:04:05.000Z',
            resemblance: 0.92,
          },
        ],
        looked_at: 1265,
        next: null,
      },
    ],
  },
);

/** GET /changes. */
export type ChangedPagesAnswer = Static<typeof ChangesSchema>;
/** GET /lost. */
export type LostAnswer = Static<typeof LostSchema>;
export type SeenAnswer = Static<typeof seen>;
export type MovedCandidateAnswer = Static<typeof MovedCandidateSchema>;
/** GET /moved. */
export type MovedAnswer = Static<typeof MovedSchema>;
export type CaptureAnswer = Static<typeof CaptureSchema>;
/** GET /history. */
export type HistoryAnswer = Static<typeof HistorySchema>;
