import { COPY_PROFILE_NAMES } from '../../indexer/options/build-options.ts';
import {
  COPY_JOINS,
  LEAST_SUPER_SHINGLE_SIMILARITY,
  MAX_CLUSTERINGS,
  parseClusterings,
} from '../../relations/copy.ts';
import { MAX_SHINGLE_SIZE } from '../../text/shingle.ts';
import { choice, fraction, integer, text, toggle } from './knob.ts';

/** Settings of a build's copies. */
export const COPY_KNOBS = {
  copies: toggle({
    flag: '--no-copies',
    env: 'AKIN_COPIES',
    doc: 'leave the copy relation out: pages are not compared by their wording',
  }),
  copyProfile: choice({
    flag: '--copy-profile',
    env: 'AKIN_COPY_PROFILE',
    choices: COPY_PROFILE_NAMES,
    default: 'akin',
    doc: 'how copies are found: akin (short pages sampled finely), or broder1997 (as printed in the paper)',
  }),
  shingleSize: integer({
    flag: '--shingle',
    env: 'AKIN_SHINGLE',
    default: 10,
    min: 1,
    max: MAX_SHINGLE_SIZE,
    unit: 'tokens',
    doc: 'words in a row that are compared as one',
  }),
  copySimilarity: fraction({
    flag: '--copy-at',
    env: 'AKIN_COPY_AT',
    default: 0.5,
    doc: 'resemblance from which two pages are copies',
  }),
  copyClusterings: {
    ...text({
      flag: '--copy-clusterings',
      env: 'AKIN_COPY_CLUSTERINGS',
      placeholder: 'LIST',
      default: '',
      doc:
        'thresholds at which copies are clustered side by side, such as 0.5,0.9,0.8c: by resemblance, or with c by ' +
        'containment, which joins a page to a longer one that holds it (and so chains more). The first is answered ' +
        'where none is asked for; not set: one, at --copy-at',
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
      'what pages must share to be compared: shingles, or super-shingles: fewer comparisons, but blind to containment ' +
      `and to pages of few shingles; needs --copy-at ${LEAST_SUPER_SHINGLE_SIMILARITY} or more`,
  }),
  keepText: toggle({
    flag: '--no-text',
    env: 'AKIN_TEXT',
    doc: 'do not keep the texts: what two copies share cannot be shown, the index is smaller',
  }),
  templateFilter: toggle({
    flag: '--no-template-filter',
    env: 'AKIN_TEMPLATE_FILTER',
    doc: "let wording that recurs over a site's pages count as any other (so does the profile broder1997)",
  }),
  sameSiteBits: integer({
    flag: '--same-site-bits',
    env: 'AKIN_SAME_SITE_BITS',
    default: 0,
    min: 0,
    max: 384,
    unit: 'bits',
    doc: 'of 384, in which the words of two pages of one host must agree to be copies; 0 asks for none, 355 is usual',
  }),
} as const;
