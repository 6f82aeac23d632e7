import { KERNELS, type KernelName } from '../../relations/kernels.ts';
import { TOPIC_PROFILES, type TopicProfile } from '../../relations/topic.ts';
import { choice, file, fraction, integer, text } from './kinds.ts';
import { knobs, PerProfile } from './knob.ts';

type Profile = TopicProfile['name'];

const perProfile = <T>(pick: (profile: TopicProfile) => T) =>
  PerProfile.from('profile', TOPIC_PROFILES, pick);
const hasSignature = (profile: unknown) => TOPIC_PROFILES[profile as Profile].signature !== null;
const WITHOUT_SIGNATURE = [{ beside: 'profile', at: (profile: unknown) => !hasSignature(profile) }];
const WITH_SIGNATURE = [{ beside: 'profile', at: hasSignature }];
const STORED_WITH_SIGNATURE = {
  write: (value: unknown, { profile }: Readonly<Record<string, unknown>>) =>
    hasSignature(profile) ? value : undefined,
};

const PAIRS = fraction({
  word: 'pairs',
  default: 0,
  doc: 'CENTER uses every pair of at least this similarity (0.1 or more), not only the nearest pages; 0 means the nearest pages',
});

/** The method; what it prints or measures best is the default of other rows. */
export const PROFILE_ROWS = knobs('Method:', {
  profile: choice({
    choices: Object.keys(TOPIC_PROFILES) as Profile[],
    default: 'akin',
    doc: 'the method: akin (best measured), or haveliwala2000 (as printed in the paper)',
    oneMachine: (profile) => (profile === 'akin' ? null : `--profile ${profile}`),
  }),
});

/** How pages are related by topic. */
export const TOPIC_ROWS = knobs('Related pages and topics:', {
  neighborLimit: integer({
    word: 'neighbors',
    default: perProfile(({ neighborLimit }) => neighborLimit),
    min: 1,
    max: 255,
    unit: 'pages',
    doc: 'related pages kept for each page',
    stored: { write: () => undefined, read: ({ topic }) => topic.neighborLimit },
  }),
  kernel: choice({
    choices: Object.keys(KERNELS) as KernelName[],
    default: 'jaccard',
    doc: 'what is near: jaccard (weighted Jaccard and Hellinger), or bm25 (short posts; akin tune says where it is better)',
    oneMachine: (kernel) => (kernel === 'jaccard' ? null : `--kernel ${kernel}`),
    off: WITH_SIGNATURE,
  }),
  floor: fraction({
    isRare: true,
    default: perProfile(({ floor }) => floor),
    doc: 'similarity below which no related page is kept',
    off: [{ beside: 'kernel', at: (kernel) => !KERNELS[kernel as KernelName].hasFloor }],
    stored: { write: () => undefined, read: ({ topic }) => topic.floor },
  }),
  targetRecall: fraction({
    word: 'recall',
    default: 0.97,
    doc: 'share of the true ten nearest pages to find (and of the pairs, with --pairs), measured during the build; 1 searches exactly at any cost',
    off: WITH_SIGNATURE,
  }),
  lend: fraction({
    default: 0,
    doc:
      'how much of the words of a page its ten nearest pages lend to it, so that lists find pages that say the same in other words; ' +
      '0 means none, .1 is usual, akin tune says whether your labels prove it',
    off: WITH_SIGNATURE,
    oneMachine: (share) => (share === 0 ? null : '--lend'),
    stored: { write: (share) => (share === 0 ? undefined : share) },
  }),
  meaningShare: fraction({
    default: 0,
    doc:
      'how much vectors of your own say, beside words, of what is related: they take part in which pages a list has and in its ' +
      'order; 0 means words alone, .15 is usual, akin tune says what your labels prove',
    off: WITH_SIGNATURE,
    oneMachine: (share) => (share === 0 ? null : '--meaning-share'),
    stored: { write: (share) => (share === 0 ? undefined : share) },
  }),
  meaningVectors: text({
    placeholder: 'NAME',
    doc: 'with --meaning-share: of which vectors, by their name; not set: those that most pages have',
    off: [{ beside: 'meaningShare', at: (share: unknown) => share === 0 }],
    stored: { write: (name, { meaningShare }) => (meaningShare === 0 ? undefined : name) },
  }),
  pairSimilarity: {
    ...PAIRS,
    default: null,
    parse: (text: string): number | null | undefined => {
      const least = PAIRS.parse(text);
      return least === 0 ? null : least;
    },
    written: (least: number | null) => least ?? 0,
    oneMachine: (least: number | null) => (least === null ? null : '--pairs'),
    off: WITH_SIGNATURE,
  },
  clusterSimilarity: fraction({
    word: 'cluster-at',
    isRare: true,
    default: 0.2,
    doc: 'least similarity to the center of a cluster for a page to join it',
  }),
  classes: file<readonly (readonly [url: string, path: string])[]>({
    placeholder: 'TSV',
    doc: 'classes of some pages (url and class, such as Science/Physics) that seed and name the topics',
    off: WITH_SIGNATURE,
    oneMachine: (classes) => (classes === null ? null : '--classes'),
    stored: { write: (classes) => classes ?? undefined },
  }),
  filterBytes: choice({
    isRare: true,
    choices: [3, 1],
    default: 3,
    doc: 'haveliwala2000: bytes of each value that the filter compares; 1 needs a third of the memory',
    off: WITHOUT_SIGNATURE,
    stored: STORED_WITH_SIGNATURE,
  }),
  filterValues: integer({
    isRare: true,
    default: TOPIC_PROFILES.haveliwala2000.signature!.m,
    min: 1,
    max: TOPIC_PROFILES.haveliwala2000.signature!.m,
    unit: 'values',
    doc: 'haveliwala2000: values of a signature that the filter compares; fewer need less memory',
    off: WITHOUT_SIGNATURE,
    stored: STORED_WITH_SIGNATURE,
  }),
  seed: integer({
    default: 1,
    min: 0,
    max: 2 ** 32 - 1,
    unit: '',
    doc: 'seed of hash functions, samples and topics; another seed gives another, equally good index',
  }),
});
