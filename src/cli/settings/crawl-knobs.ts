import { SCOPES } from '../../crawl/rules/options.ts';
import { isRange } from '../../net/address-guard.ts';
import { bytes, choice, decimal, integer, parseDuration, text, toggle } from './knob.ts';

const MIB = 2 ** 20;
const GIB = 2 ** 30;

/** Settings of a crawl. What a crawl was begun with is kept in its folder. */
export const CRAWL_KNOBS = {
  maxPages: integer({
    flag: '--max-pages',
    env: 'AKIN_MAX_PAGES',
    default: 0,
    min: 0,
    max: 2 ** 31,
    unit: 'pages',
    doc: 'stop after this many responses; 0 is no limit',
  }),
  perHost: integer({
    flag: '--per-host',
    env: 'AKIN_PER_HOST',
    default: 0,
    min: 0,
    max: 2 ** 31,
    unit: 'pages',
    doc: 'responses from one host at most; 0 is no limit',
  }),
  maxDepth: integer({
    flag: '--max-depth',
    env: 'AKIN_MAX_DEPTH',
    default: 50,
    min: 0,
    max: 10_000,
    unit: 'links',
    doc: 'links followed from a seed; 0 fetches the seeds alone',
  }),
  slots: integer({
    flag: '--slots',
    env: 'AKIN_SLOTS',
    default: 16,
    min: 1,
    max: 1000,
    unit: 'fetches',
    doc: 'fetches at the same time; never more than one from a host',
  }),
  delaySeconds: decimal({
    flag: '--delay',
    env: 'AKIN_DELAY',
    default: 1,
    min: 0,
    max: 3600,
    unit: 'seconds',
    doc:
      'least time between two fetches from a host, or ten times the time that the last one took, if that is more. ' +
      '0 waits only as long as robots.txt asks: for servers of your own',
  }),
  scope: choice({
    flag: '--scope',
    env: 'AKIN_SCOPE',
    choices: SCOPES,
    default: 'site',
    doc: 'which links are followed: to the sites of the seeds (registrable domains), to their hosts, or to any',
  }),
  include: text({
    flag: '--include',
    env: 'AKIN_INCLUDE',
    placeholder: 'REGEX',
    default: '',
    doc: 'follow only links to URLs that match',
  }),
  exclude: text({
    flag: '--exclude',
    env: 'AKIN_EXCLUDE',
    placeholder: 'REGEX',
    default: '',
    doc: 'follow no links to URLs that match',
  }),
  allowedAddresses: {
    ...text({
      flag: '--allow-address',
      env: 'AKIN_ALLOW_ADDRESS',
      placeholder: 'CIDR',
      default: '',
      doc: 'addresses and ranges, joined by commas, that may be fetched from although they are not public, such as 10.0.0.0/8',
    }),
    allowed: 'addresses or ranges such as 127.0.0.1 or fc00::/7, joined by commas',
    parse: (list: string) => (list === '' || list.split(',').every(isRange) ? list : undefined),
  },
  partition: {
    ...text({
      flag: '--partition',
      env: 'AKIN_PARTITION',
      placeholder: 'I/N',
      default: '1/1',
      doc: 'crawl the hosts of part I of N; URLs of the others are written to for-part-*.urls',
    }),
    allowed: 'I/N, I from 1 to N, N up to 1000',
    parse: (value: string) => (parsePartition(value) === null ? undefined : value),
  },
  userAgent: {
    ...text({
      flag: '--user-agent',
      env: 'AKIN_USER_AGENT',
      placeholder: 'NAME',
      default: 'akin',
      doc: 'name that the crawler gives to servers; the letters at its start are the name looked up in robots.txt',
    }),
    allowed: 'printable ASCII that begins with a letter',
    parse: (value: string) => (/^[A-Za-z][\x20-\x7e]*$/.test(value) ? value : undefined),
  },
  contact: {
    ...text({
      flag: '--contact',
      env: 'AKIN_CONTACT',
      placeholder: 'URL',
      default: '',
      doc: 'URL or mail address that shows the owner of a site who crawls; part of the user agent',
    }),
    allowed: 'printable ASCII without parentheses',
    parse: (value: string) => (/^[\x20-\x27\x2a-\x7e]*$/.test(value) ? value : undefined),
  },
  timeLimitSeconds: integer({
    flag: '--time-limit',
    env: 'AKIN_TIME_LIMIT',
    default: 60,
    min: 1,
    max: 3600,
    unit: 'seconds',
    doc: 'of one fetch, from the request to the last byte',
  }),
  tls: choice({
    flag: '--tls',
    env: 'AKIN_TLS',
    choices: ['strict', 'any'],
    default: 'strict',
    doc: 'any: fetch also from servers whose certificate cannot be trusted',
  }),
  copyStop: toggle({
    flag: '--no-copy-stop',
    env: 'AKIN_COPY_STOP',
    doc: 'do not give up branches of a site whose pages are copies of each other',
  }),
  archiveBytes: bytes({
    flag: '--archive-size',
    env: 'AKIN_ARCHIVE_SIZE',
    default: GIB,
    min: MIB,
    max: 1024 * GIB,
    doc: 'size at which a WARC file is closed and the next one begins',
  }),
} as const;

/** Settings of `akin up` alone. */
export const UP_KNOBS = {
  every: {
    ...text({
      flag: '--every',
      env: 'AKIN_EVERY',
      placeholder: 'TIME',
      default: '',
      doc: 'time from the end of a crawl to the next one, such as 12h or 1d; not set: crawl once',
    }),
    allowed: 'a number and s, m, h or d',
    parse: (value: string) => (value === '' || parseDuration(value) !== null ? value : undefined),
  },
} as const;

export function parsePartition(text: string): { part: number; parts: number } | null {
  const [, part, parts] = (/^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? []).map(Number);
  if (part === undefined || parts === undefined || part > parts || parts > 1000) return null;
  return { part, parts };
}
