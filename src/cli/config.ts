/**
 * Every setting, declared once. A flag beats the environment, the environment beats the default;
 * all faults are told in one error. `akin config` prints what is in force and where it came from.
 */
import { ConfigError } from '../errors.ts';
import { BAG_CHOICES, COPY_PROFILE_NAMES, PROFILES } from '../indexer/build-options.ts';
import {
  COPY_JOINS,
  LEAST_SUPER_SHINGLE_SIMILARITY,
  MAX_CLUSTERINGS,
  parseClusterings,
} from '../relations/copy.ts';
import { bytes, choice, defaultOf, fraction, integer, type Knob, text, toggle } from './knob.ts';

const MIB = 2 ** 20;
const GIB = 2 ** 30;

export const INDEX_KNOBS = {
  profile: choice({
    flag: '--profile',
    env: 'AKIN_PROFILE',
    choices: PROFILES,
    default: 'akin',
    doc: 'the method: akin (best measured), or haveliwala2000 (as printed in the paper)',
  }),
  bag: choice({
    flag: '--bag',
    env: 'AKIN_BAG',
    choices: BAG_CHOICES,
    default: 'all',
    doc: 'what a page is described by: its own words, the words around links to it, or all',
  }),
  memoryBytes: bytes({
    flag: '--memory',
    env: 'AKIN_MEMORY',
    default: GIB,
    min: 64 * MIB,
    max: 1024 * GIB,
    doc: "budget of the build's tables and buffers; less means more passes over the disk",
  }),
  workerCount: integer({
    flag: '--workers',
    env: 'AKIN_WORKERS',
    default: 0,
    min: 0,
    max: 256,
    unit: 'threads',
    doc: 'threads of the build; 0 is one a core. The index is the same for any number',
  }),
  maxPageBytes: bytes({
    flag: '--max-page',
    env: 'AKIN_MAX_PAGE',
    default: 10 * MIB,
    min: 1024,
    max: GIB,
    doc: 'larger pages are skipped and named in the report',
  }),
  stopWordsFile: text({
    flag: '--stop-words',
    env: 'AKIN_STOP_WORDS',
    placeholder: 'FILE',
    default: '',
    doc: 'one word a line, in place of the built-in list',
  }),
  windowWords: integer({
    flag: '--window',
    env: 'AKIN_WINDOW',
    default: 8,
    min: 0,
    max: 100,
    unit: 'words',
    doc: 'words before and after a link that describe its target; 0 keeps the link text alone',
  }),
  minPageCount: integer({
    flag: '--min-df',
    env: 'AKIN_MIN_DF',
    default: 2,
    min: 1,
    max: 1_000_000,
    unit: 'pages',
    doc: 'words of fewer pages are dropped; 1 keeps all',
  }),
  maxPageShare: fraction({
    flag: '--max-df',
    env: 'AKIN_MAX_DF',
    default: { akin: 0.5, haveliwala2000: 0.3 },
    doc: 'words of a larger share of the pages are dropped; 1 keeps all',
  }),
  neighbourLimit: integer({
    flag: '--neighbours',
    env: 'AKIN_NEIGHBOURS',
    default: { akin: 32, haveliwala2000: 100 },
    min: 1,
    max: 255,
    unit: 'pages',
    doc: 'related pages kept for each page',
  }),
  floor: fraction({
    flag: '--floor',
    env: 'AKIN_FLOOR',
    default: { akin: 0.03, haveliwala2000: 0.2 },
    doc: 'similarity below which no related page is kept',
  }),
  targetRecall: fraction({
    flag: '--recall',
    env: 'AKIN_RECALL',
    default: 0.97,
    doc: 'share of the true ten nearest to find, measured while it runs; 1 searches exactly at any cost',
  }),
  pairSimilarity: fraction({
    flag: '--pairs',
    env: 'AKIN_PAIRS',
    default: 0,
    doc: 'clusters of CENTER from every pair at or above this (0.1 or more), not from the nearest pages alone; 0 leaves that out',
  }),
  clusterSimilarity: fraction({
    flag: '--cluster-at',
    env: 'AKIN_CLUSTER_AT',
    default: 0.2,
    doc: 'similarity to the center from which a page joins its cluster',
  }),
  filterBytes: choice({
    flag: '--filter-bytes',
    env: 'AKIN_FILTER_BYTES',
    choices: ['3', '1'],
    default: '3',
    doc: 'haveliwala2000: bytes of each value that the filter compares; 1 takes a third of the memory',
  }),
  filterValues: integer({
    flag: '--filter-values',
    env: 'AKIN_FILTER_VALUES',
    default: 80,
    min: 1,
    max: 80,
    unit: 'values',
    doc: 'haveliwala2000: values of a signature that the filter compares; fewer take less memory',
  }),
  seed: integer({
    flag: '--seed',
    env: 'AKIN_SEED',
    default: 1,
    min: 0,
    max: 2 ** 32 - 1,
    unit: '',
    doc: 'of hash functions, samples and topics; another seed gives another, equally good index',
  }),
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
    max: 28,
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
  sweepName: text({
    flag: '--sweep',
    env: 'AKIN_SWEEP',
    placeholder: 'NAME',
    default: 'sweep-1',
    doc: 'name of this delivery of pages, kept beside each capture',
  }),
  format: choice({
    flag: '--format',
    env: 'AKIN_FORMAT',
    choices: ['auto', 'warc', 'jsonl'],
    default: 'auto',
    doc: 'what standard input carries; auto looks at its first bytes',
  }),
} as const;

export const SERVE_KNOBS = {
  host: text({
    flag: '--host',
    env: 'AKIN_HOST',
    placeholder: 'ADDRESS',
    default: '127.0.0.1',
    doc: 'address to listen on; 0.0.0.0 opens it to the network',
  }),
  port: integer({
    flag: '--port',
    env: 'AKIN_PORT',
    default: 3000,
    min: 0,
    max: 65_535,
    unit: '',
    doc: 'port to listen on; 0 takes a free one',
  }),
  corsOrigins: text({
    flag: '--cors-origins',
    env: 'AKIN_CORS_ORIGINS',
    placeholder: 'URLS',
    default: '*',
    doc: 'origins, joined by commas, that browsers may ask from; * is any',
  }),
  getPerMinute: integer({
    flag: '--get-per-minute',
    env: 'AKIN_GET_PER_MINUTE',
    default: 0,
    min: 0,
    max: 10_000_000,
    unit: 'requests',
    doc: 'GET requests that one address may make; 0 sets no limit',
  }),
  postPerMinute: integer({
    flag: '--post-per-minute',
    env: 'AKIN_POST_PER_MINUTE',
    default: 0,
    min: 0,
    max: 10_000_000,
    unit: 'requests',
    doc: 'POST requests that one address may make; they cost more than GET; 0 sets no limit',
  }),
  trustProxy: text({
    flag: '--trust-proxy',
    env: 'AKIN_TRUST_PROXY',
    placeholder: 'ADDRESSES',
    default: '',
    doc: 'proxies, joined by commas, whose X-Forwarded headers are believed; * believes all',
  }),
  drainMs: integer({
    flag: '--drain-ms',
    env: 'AKIN_DRAIN_MS',
    default: 0,
    min: 0,
    max: 600_000,
    unit: 'ms',
    doc: 'from SIGTERM, while /readyz already says no, until listening ends: time for a balancer to notice',
  }),
  closeTimeoutMs: integer({
    flag: '--close-timeout-ms',
    env: 'AKIN_CLOSE_TIMEOUT_MS',
    default: 10_000,
    min: 0,
    max: 600_000,
    unit: 'ms',
    doc: 'that requests under way get to finish once listening has ended',
  }),
  logLevel: choice({
    flag: '--log-level',
    env: 'AKIN_LOG_LEVEL',
    choices: ['info', 'warn', 'error', 'debug', 'silent'],
    default: 'info',
    doc: 'how much is logged, as lines of JSON on standard error',
  }),
} as const;

export const KNOBS = { ...INDEX_KNOBS, ...SERVE_KNOBS } as const;

export type KnobName = keyof typeof KNOBS;
type ValueOf<K> = K extends Knob<infer T> ? T : never;
export type Config = { readonly [Name in KnobName]: ValueOf<(typeof KNOBS)[Name]> };
export type Origin = 'flag' | 'environment' | 'default';

export interface LoadedConfig {
  readonly config: Config;
  readonly origins: Readonly<Record<KnobName, Origin>>;
}

/** Every knob name, in the order of declaration. */
export const KNOB_NAMES = Object.keys(KNOBS) as KnobName[];

/**
 * Settles every knob from the texts of the flags given and from the environment.
 *
 * Errors  ConfigError AKIN_ERR_CONFIG that names every fault, a line each.
 */
export function loadConfig(
  flags: Readonly<Partial<Record<KnobName, string>>>,
  env: Readonly<Record<string, string | undefined>>,
): LoadedConfig {
  const faults: string[] = [];
  const given: Partial<Record<KnobName, unknown>> = {};
  const origins: Partial<Record<KnobName, Origin>> = {};
  for (const name of KNOB_NAMES) {
    const knob: Knob<unknown> = KNOBS[name];
    const fromEnv = env[knob.env] === '' ? undefined : env[knob.env];
    const written = flags[name] ?? fromEnv;
    origins[name] = flags[name] !== undefined ? 'flag' : fromEnv !== undefined ? 'environment' : 'default';
    if (written === undefined) continue;
    given[name] = knob.parse(written);
    if (given[name] === undefined) {
      const door = origins[name] === 'flag' ? knob.flag : knob.env;
      faults.push(`${door} is "${written}"; allowed: ${knob.allowed}${knob.unit && ` (${knob.unit})`}`);
    }
  }
  if (faults.length > 0) {
    throw new ConfigError('AKIN_ERR_CONFIG', faults.join('\n'), {
      hint: 'akin config lists every setting with its value and where it came from',
    });
  }
  const profile = (given.profile ?? KNOBS.profile.default) as Config['profile'];
  const config = Object.fromEntries(
    KNOB_NAMES.map((name) => [name, given[name] ?? defaultOf<unknown>(KNOBS[name], profile)]),
  ) as unknown as Config;
  return { config: Object.freeze(config), origins: origins as Record<KnobName, Origin> };
}
