import {
  COPY_JOINS,
  COPY_PROFILES,
  type CopyParameters,
  type CopyProfile,
  LEAST_SUPER_SHINGLE_SIMILARITY,
  MAX_CLUSTERINGS,
  parseClusterings,
  storedCopyParameters,
} from '../../relations/copy.ts';
import { MAX_SHINGLE_SIZE } from '../../text/shingle.ts';
import { choice, fraction, integer, text, toggle } from './kinds.ts';
import { knobs, PerProfile, type StoredFacts } from './knob.ts';

const perProfile = <T>(pick: (profile: CopyProfile) => T) =>
  PerProfile.from('copyProfile', COPY_PROFILES, pick);
const OFF = [{ beside: 'copies', at: (copies: unknown) => copies === false }];

/** Kept among the parameters of the copy relation, which `copyParameters` makes. */
const storedAs = (name: keyof CopyParameters) => ({
  write: () => undefined,
  read: ({ parameters }: StoredFacts) => storedCopyParameters(parameters)?.[name],
});

/** The names of clusterings; none where there is the one at the least resemblance of copies alone. */
function readClusterings({ parameters, copyClusterings }: StoredFacts): string[] {
  const names = copyClusterings.map(({ name }) => name);
  return names.length === 1 && names[0] === String(storedCopyParameters(parameters)?.threshold) ? [] : names;
}

/** How copies are found. */
export const COPY_ROWS = knobs('Copies:', {
  copies: toggle({
    default: true,
    doc: 'leave out the copy relation: pages are not compared by their wording',
    stored: {
      write: () => undefined,
      read: ({ parameters }) => storedCopyParameters(parameters) !== undefined,
    },
  }),
  copyProfile: choice({
    choices: Object.keys(COPY_PROFILES) as CopyProfile['name'][],
    default: 'akin',
    doc:
      'how copies are found: akin (short pages sampled finely), broder1997 (as printed in the paper), or ' +
      'cs276 (200 permutations, near-duplicates alone, as in the lectures)',
    off: OFF,
    oneMachine: (profile) =>
      COPY_PROFILES[profile as CopyProfile['name']].ignoresCommon ? `--copy-profile ${profile}` : null,
    stored: storedAs('profile'),
  }),
  shingleSize: integer({
    word: 'shingle',
    isRare: true,
    default: 10,
    min: 1,
    max: MAX_SHINGLE_SIZE,
    unit: 'tokens',
    doc: 'consecutive words that are compared as one unit',
    off: OFF,
    stored: storedAs('shingle_size'),
  }),
  copySimilarity: fraction({
    word: 'copy-at',
    default: perProfile(({ threshold }) => threshold),
    unset: 0,
    doc: 'least resemblance of two copies; 0 is that of the profile',
    off: OFF,
    stored: storedAs('threshold'),
  }),
  copyClusterings: {
    ...text({ placeholder: 'LIST', doc: '' }),
    default: [],
    doc:
      'thresholds of several clusterings of copies, such as 0.5,0.9,0.8c: by resemblance, or with c by containment, ' +
      'which joins a page to a longer page that contains it (and makes longer chains). The first is the default of ' +
      'requests; not set: one clustering, at --copy-at',
    allowed: `up to ${MAX_CLUSTERINGS} numbers from 0 to 1, joined by commas, each with or without c`,
    parse: (list: string): readonly string[] | undefined =>
      list === '' ? [] : parseClusterings(list)?.map(({ name }) => name),
    written: (names: readonly string[]) => names.join(','),
    off: OFF,
    stored: { write: () => undefined, read: readClusterings },
  },
  copyJoin: choice({
    choices: COPY_JOINS,
    default: 'shingles',
    doc:
      'what pages must share to be compared: shingles, or super-shingles: fewer comparisons, but containment and short ' +
      `pages are missed; needs --copy-at ${LEAST_SUPER_SHINGLE_SIMILARITY} or more`,
    off: OFF,
    oneMachine: (join) => (join === 'shingles' ? null : `--copy-join ${join}`),
    stored: storedAs('join'),
  }),
  keepText: toggle({
    word: 'text',
    default: true,
    doc: 'do not store the texts: the index is smaller, but shared passages cannot be shown',
    off: OFF,
    stored: storedAs('text'),
  }),
  templateFilter: toggle({
    isRare: true,
    default: perProfile(({ templateFilter }) => templateFilter),
    doc: "no counts the repeated frame of a site's pages like other text, as the profiles broder1997 and cs276 do",
    off: [
      ...OFF,
      {
        beside: 'copyProfile',
        at: (profile: CopyProfile['name']) => !COPY_PROFILES[profile].templateFilter,
      },
    ],
    stored: storedAs('template_filter'),
  }),
  sameSiteBits: integer({
    isRare: true,
    default: 0,
    min: 0,
    max: 384,
    unit: 'bits',
    doc: 'of 384 bits that must agree for two pages of one host to be copies; 0 turns the check off, 355 is usual',
    off: OFF,
    stored: storedAs('same_site_agreement'),
  }),
});
