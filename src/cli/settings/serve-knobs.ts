import { bytes, choice, fraction, integer, text, toggle } from '../../indexer/options/kinds.ts';
import { knobs, type Naming } from '../../indexer/options/knob.ts';
import { isRange } from '../../net/address-guard.ts';
import { pathPrefix } from '../../service/http/base-path.ts';
import { READERS } from '../../service/http/callers/export-door.ts';
import { replayTemplate } from '../../service/http/replay-link.ts';

/** A server that is kept fresh by crawls takes their pages. */
const READ_ONLY: Naming<unknown>['off'] = [
  { beside: 'writable', at: (writable, { every }) => writable === false && every === '' },
];
const OFF = [{ beside: 'feedback', at: (feedback: unknown) => feedback === false }];

/** Settings of the server. */
export const SERVE_KNOBS = knobs(null, {
  host: text({
    placeholder: 'ADDRESS',
    default: '127.0.0.1',
    doc: 'address to listen on; 0.0.0.0 opens it to the network',
    allowed: 'an address, or a name of one',
    // What an unset variable of a script leaves would open the service to the network.
    parse: (name: string) => (name.trim() === '' ? undefined : name.replace(/^\[(.*)\]$/, '$1')),
  }),
  port: integer({
    default: 3000,
    min: 0,
    max: 65_535,
    unit: '',
    doc: 'port to listen on; 0 means any free port',
  }),
  basePath: text({
    placeholder: 'PATH',
    doc: 'path that everything is served under, such as /akin, behind a proxy that passes it on',
    allowed: 'a path of letters, digits and -._~, such as /akin',
    parse: pathPrefix,
  }),
  shardUrls: text({
    word: 'shards',
    placeholder: 'URLS',
    doc: 'instead of files, the servers of all shards of an index, separated by commas: http://host:port,...',
    allowed: 'http or https URLs, separated by commas',
    parse: urlsOf,
  }),
  shardTimeoutMs: integer({
    default: 5_000,
    min: 100,
    max: 600_000,
    unit: 'ms',
    doc: 'time that the server of a shard has for an answer; then it counts as lost until it answers again',
    off: [{ beside: 'shardUrls', at: (urls: unknown) => urls === '' }],
  }),
  explorer: toggle({
    default: true,
    doc: 'do not serve the pages for people at / and /explore/',
  }),
  replayUrl: text({
    placeholder: 'TEMPLATE',
    doc: 'link to the archived capture beside each, such as https://web.archive.org/web/{timestamp}/{url}',
    allowed: 'an http or https URL with {url}, and {timestamp} if need be, behind its host',
    parse: replayTemplate,
  }),
  corsOrigins: text({
    placeholder: 'URLS',
    default: '*',
    doc: 'origins that browsers may send requests from, separated by commas; * means any',
    allowed: 'origins such as https://example.org, separated by commas, or *',
    parse: originsOf,
  }),
  getPerMinute: integer({
    default: 0,
    min: 0,
    max: 10_000_000,
    unit: 'requests',
    doc: 'GET and QUERY requests a minute of one address; 0 means no limit',
  }),
  postPerMinute: integer({
    default: 0,
    min: 0,
    max: 10_000_000,
    unit: 'requests',
    doc: 'POST requests a minute of one address; they cost more than GET; 0 means no limit',
  }),
  keyFile: text({
    word: 'keys',
    placeholder: 'FILE',
    doc: 'keys of callers, a line each as akin key new prints it; read at the start',
    allowed: 'the name of a file',
  }),
  ruleFile: text({
    word: 'rules',
    placeholder: 'FILE',
    doc: 'pages that lists begin with or do not hold, as PUT /rules takes them (docs/rules.md); kept in place of those before, at the start',
    allowed: 'the name of a file',
  }),
  exports: choice({
    choices: READERS,
    default: 'loopback',
    doc: 'who may read everything at once, from GET /export/...: programs on this machine and keys of the scope operate, anyone, or off',
  }),
  writable: toggle({
    default: false,
    doc: 'take pages (PUT, POST and DELETE /pages) into FILE.pages, and fold them into FILE',
  }),
  follow: toggle({
    default: false,
    doc: 'show the pages that another process of this machine takes into FILE.pages (--writable)',
    off: [{ beside: 'writable', at: (writable: unknown) => writable === true }],
  }),
  maxPendingPages: integer({
    default: 10_000,
    min: 1,
    max: 1_000_000,
    unit: 'pages',
    doc: 'pages that wait to be folded in at most, with --writable or --every; more are refused',
    off: READ_ONLY,
  }),
  maxPendingBytes: bytes({
    default: 256 * 2 ** 20,
    min: 16 * 2 ** 20,
    max: 16 * 2 ** 30,
    doc: 'size of these at most, with --writable or --every',
    off: READ_ONLY,
  }),
  foldShare: fraction({
    default: 0.1,
    doc: 'share of the pages of FILE from which on pages that wait are folded in, with --writable or --every',
    off: READ_ONLY,
  }),
  foldAfterMs: integer({
    default: 15 * 60_000,
    min: 1000,
    max: 7 * 86_400_000,
    unit: 'ms',
    doc: 'time after which a page that waits is folded in, with --writable or --every',
    off: READ_ONLY,
  }),
  feedback: toggle({
    default: false,
    doc: 'take judgements of answers (POST /feedback) into FILE.feedback.jsonl',
  }),
  feedbackPerMinute: integer({
    default: 60,
    min: 1,
    max: 10_000_000,
    unit: 'requests',
    doc: 'judgements a minute of one address, with --feedback',
    off: OFF,
  }),
  maxFeedback: bytes({
    default: 64 * 2 ** 20,
    min: 4 * 2 ** 10,
    max: 256 * 2 ** 20,
    doc: 'size of FILE.feedback.jsonl from which judgements are refused, with --feedback',
    off: OFF,
  }),
  trustProxy: text({
    placeholder: 'ADDRESSES',
    doc: 'proxies whose X-Forwarded headers are trusted, separated by commas; * means all',
    allowed:
      'addresses or ranges such as 10.0.0.0/8, loopback, linklocal, uniquelocal, separated by commas, or *',
    parse: proxiesOf,
  }),
  drainMs: integer({
    default: 0,
    min: 0,
    max: 600_000,
    unit: 'ms',
    doc: 'time from SIGTERM until the server stops listening; /readyz answers 503 meanwhile, so that a load balancer notices',
  }),
  closeTimeoutMs: integer({
    default: 10_000,
    min: 0,
    max: 600_000,
    unit: 'ms',
    doc: 'time for open requests to finish after the server has stopped listening',
  }),
  logRequests: toggle({
    default: false,
    doc: 'log every request, with its x-request-id, as a line of JSON',
    off: [{ beside: 'logLevel', at: (level: unknown) => level !== 'info' && level !== 'debug' }],
  }),
  logLevel: choice({
    choices: ['info', 'warn', 'error', 'debug', 'silent'],
    default: 'info',
    doc: 'how much is logged, as lines of JSON on standard error',
  }),
});

function urlsOf(text: string): string | undefined {
  const urls = text.split(',').filter((url) => url.trim() !== '');
  return urls.every((url) => /^https?:$/.test(URL.parse(url.trim())?.protocol ?? '')) ? text : undefined;
}

/** As browsers write them. */
function originsOf(text: string): string | undefined {
  const isOrigin = (one: string) => {
    const url = URL.parse(one);
    return url !== null && url.host !== '' && `${url.protocol}//${url.host}` === one;
  };
  return text === '*' || text.split(',').every((one) => isOrigin(one.trim())) ? text : undefined;
}

function proxiesOf(text: string): string | undefined {
  // A range of all addresses is the star.
  const isProxy = (one: string) =>
    /^(?:|loopback|linklocal|uniquelocal)$/.test(one) || (isRange(one) && !/\/0+$/.test(one));
  return text === '*' || text.split(',').every((one) => isProxy(one.trim())) ? text : undefined;
}
