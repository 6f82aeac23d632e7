import { SCOPES } from '../../crawl/rules/options.ts';
import { bytes, choice, decimal, GIB, integer, MIB, text, toggle } from '../../indexer/options/kinds.ts';
import { knobs } from '../../indexer/options/knob.ts';
import { isRange } from '../../net/address-guard.ts';

/** Settings of a crawl. What a crawl was begun with is kept in its folder. */
export const CRAWL_KNOBS = knobs(null, {
  maxPages: integer({
    default: 0,
    min: 0,
    max: 2 ** 31,
    unit: 'pages',
    doc: 'stop after this many responses; 0 is no limit',
  }),
  perHost: integer({
    default: 0,
    min: 0,
    max: 2 ** 31,
    unit: 'pages',
    doc: 'responses from one host at most; 0 is no limit',
  }),
  maxDepth: integer({
    default: 50,
    min: 0,
    max: 10_000,
    unit: 'links',
    doc: 'links followed from a seed; 0 fetches the seeds alone',
  }),
  slots: integer({
    default: 16,
    min: 1,
    max: 1000,
    unit: 'fetches',
    doc: 'fetches at the same time; never more than one from a host',
  }),
  delaySeconds: decimal({
    word: 'delay',
    default: 1,
    min: 0,
    max: 3600,
    unit: 'seconds',
    doc:
      'least time between two fetches from a host, or ten times the time that the last one took, if that is more. ' +
      '0 waits only as long as robots.txt asks: for servers of your own',
  }),
  scope: choice({
    choices: SCOPES,
    default: 'site',
    doc: 'which links are followed: to the sites of the seeds (registrable domains), to their hosts, or to any',
  }),
  include: text({
    placeholder: 'REGEX',
    doc: 'follow only links to URLs that match',
  }),
  exclude: text({
    placeholder: 'REGEX',
    doc: 'follow no links to URLs that match',
  }),
  allowedAddresses: text({
    word: 'allow-address',
    placeholder: 'CIDR',
    doc: 'addresses and ranges, joined by commas, that may be fetched from although they are not public, such as 10.0.0.0/8',
    allowed: 'addresses or ranges such as 127.0.0.1 or fc00::/7, joined by commas',
    parse: (list: string) => (list === '' || list.split(',').every(isRange) ? list : undefined),
  }),
  partition: text({
    placeholder: 'I/N',
    default: '1/1',
    doc: 'crawl the hosts of part I of N; URLs of the others are written to for-part-*.urls',
    allowed: 'I/N, I from 1 to N, N up to 1000',
    parse: (value: string) => (parsePartition(value) === null ? undefined : value),
  }),
  userAgent: text({
    placeholder: 'NAME',
    default: 'akin',
    doc: 'name that the crawler gives to servers; the letters at its start are the name looked up in robots.txt',
    allowed: 'printable ASCII that begins with a letter',
    parse: (value: string) => (/^[A-Za-z][\x20-\x7e]*$/.test(value) ? value : undefined),
  }),
  contact: text({
    placeholder: 'URL',
    doc: 'URL or mail address that shows the owner of a site who crawls; part of the user agent',
    allowed: 'printable ASCII without parentheses',
    parse: (value: string) => (/^[\x20-\x27\x2a-\x7e]*$/.test(value) ? value : undefined),
  }),
  timeLimitSeconds: integer({
    word: 'time-limit',
    default: 60,
    min: 1,
    max: 3600,
    unit: 'seconds',
    doc: 'of one fetch, from the request to the last byte',
  }),
  tls: choice({
    choices: ['strict', 'any'],
    default: 'strict',
    doc: 'any: fetch also from servers whose certificate cannot be trusted',
  }),
  copyStop: toggle({
    default: true,
    doc: 'do not give up branches of a site whose pages are copies of each other',
  }),
  archiveBytes: bytes({
    word: 'archive-size',
    default: GIB,
    min: MIB,
    max: 1024 * GIB,
    doc: 'size at which a WARC file is closed and the next one begins',
  }),
});

const UNITS_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90s`, `12h`, `1d` in milliseconds; null for what is no duration. */
export function parseDuration(text: string): number | null {
  const [, count, unit] = /^([1-9]\d{0,5})([smhd])$/.exec(text) ?? [];
  return count === undefined ? null : Number(count) * UNITS_MS[unit!]!;
}

/** Settings of `akin up` alone. */
export const UP_KNOBS = knobs(null, {
  every: text({
    placeholder: 'TIME',
    doc: 'time from the end of a crawl to the next one, such as 12h or 1d; not set: crawl once',
    allowed: 'a number and s, m, h or d',
    parse: (value: string) => (value === '' || parseDuration(value) !== null ? value : undefined),
  }),
});

export function parsePartition(text: string): { part: number; parts: number } | null {
  const [, part, parts] = (/^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? []).map(Number);
  if (part === undefined || parts === undefined || part > parts || parts > 1000) return null;
  return { part, parts };
}
