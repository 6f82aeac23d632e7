import { COPY_PROFILE_NAMES } from '../../indexer/options/build-options.ts';
import {
  COPY_JOINS,
  LEAST_SUPER_SHINGLE_SIMILARITY,
  MAX_CLUSTERINGS,
  parseClusterings,
} from '../../relations/copy.ts';
import { MAX_SHINGLE_SIZE } from '../../text/shingle.ts';
import { choice, fraction, integer, text, toggle } from './knob.ts';

/** Settings of copies. */
export const COPY_KNOBS = {
  copies: toggle({
    flag: '--no-copies',
    env: 'AKIN_COPIES',
    doc: 'leave out the copy relation: pages are not compared by their wording',
  }),
  copyProfile: choice({
    flag: '--copy-profile',
    env: 'AKIN_COPY_PROFILE',
    choices: COPY_PROFILE_NAMES,
    default: 'akin',
    doc:
      'how copies are found: akin (short pages sampled finely), broder1997 (as printed in the paper), or ' +
      'cs276 (200 permutations, near-duplicates alone, as in the lectures)',
  }),
  shingleSize: integer({
    flag: '--shingle',
    env: 'AKIN_SHINGLE',
    default: 10,
    min: 1,
    max: MAX_SHINGLE_SIZE,
    unit: 'tokens',
    doc: 'consecutive words that are compared as one unit',
  }),
  copySimilarity: fraction({
    flag: '--copy-at',
    env: 'AKIN_COPY_AT',
    default: 0,
    doc: 'least resemblance of two copies; 0 is that of the profile: 0.5, of cs276 0.8',
  }),
  copyClusterings: {
    ...text({
      flag: '--copy-clusterings',
      env: 'AKIN_COPY_CLUSTERINGS',
      placeholder: 'LIST',
      default: '',
      doc:
        'thresholds of several clusterings of copies, such as 0.5,0.9,0.8c: by resemblance, or with c by containment, ' +
        'which joins a page to a longer page that contains it (and makes longer chains). The first is the default of ' +
        'requests; not set: one clustering, at --copy-at',
    }),
    allowed: `up to ${MAX_CLUSTERINGS} numbers from 0 to 1, joined by commas, each with or without c`,
    parse: (list: string) =>
      list === ''
        ? ''
        : parseClusterings(list)
            ?.map(({ name }) => name)
            .join(','),
  },
  copyJoin: choice({
    flag: '--copy-join',
    env: 'AKIN_COPY_JOIN',
    choices: COPY_JOINS,
    default: 'shingles',
    doc:
      'what pages must share to be compared: shingles, or super-shingles: fewer comparisons, but containment and short ' +
      `pages are missed; needs --copy-at ${LEAST_SUPER_SHINGLE_SIMILARITY} or more`,
  }),
  keepText: toggle({
    flag: '--no-text',
    env: 'AKIN_TEXT',
    doc: 'do not store the texts: the index is smaller, but shared passages cannot be shown',
  }),
  templateFilter: toggle({
    flag: '--no-template-filter',
    env: 'AKIN_TEMPLATE_FILTER',
    doc: "count the repeated frame of a site's pages like other text (as the profiles broder1997 and cs276 do)",
  }),
  sameSiteBits: integer({
    flag: '--same-site-bits',
    env: 'AKIN_SAME_SITE_BITS',
    default: 0,
    min: 0,
    max: 384,
    unit: 'bits',
    doc: 'of 384 bits that must agree for two pages of one host to be copies; 0 turns the check off, 355 is usual',
  }),
} as const;
