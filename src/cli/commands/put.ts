import { Command } from 'commander';
import { InputError, NotIndexedError, optionFault } from '../../errors.ts';
import { MAX_PAGE_BYTES } from '../../service/http/body.ts';
import { WRITTEN } from '../../service/schemas/answers/live-answers.ts';
import { openSource } from '../../sources/open-source.ts';
import { canonicalUrl } from '../../url/canonical-url.ts';
import { parseInputs } from '../settings/inputs.ts';
import { requireFormatUse } from '../terminal/page-reading.ts';
import { ProgressReporter } from '../terminal/progress.ts';
import { print, printable, printReport, type Terminal } from '../terminal/terminal.ts';
import { captureLines } from '../up/capture-lines.ts';
import { type HandedOver, handOver } from '../up/hand-over.ts';

const LOCAL = 'http://127.0.0.1:3000';

const PUT_HELP = `
INPUT is what akin index takes: a JSONL file ({"url", "html" or "text", ...} on each line), a folder of HTML with its URL, a
WARC or ARC file, or - for standard input. The server is one that runs with --writable. AKIN_WRITE_KEY has the key where it
asks for one. Pages are kept, and seen in answers, when the command ends. A page that the input says is gone later on, or
leads elsewhere since, as sweeps of a crawl do, is deleted; one that the input has no page of is for akin delete. A page that is
older than what the server has is not kept: the time of a record is its fetched_at, that of a file when it was changed.

Examples:
  akin put pages.jsonl
  akin put https://example.org/docs/=./site/docs --server https://related.example.org
  my-cms export | akin put - --format jsonl`;

const DELETE_HELP = `
The server is one that runs with --writable. AKIN_WRITE_KEY has the key where it asks for one. A page that is deleted is in
no list when the command ends; where it stood stays known to akin moved.

Examples:
  akin delete https://example.org/old
  akin delete https://example.org/a https://example.org/b --server https://related.example.org`;

interface Flags {
  readonly server: string;
  readonly json?: true;
}

interface PutFlags extends Flags {
  readonly base?: string;
  readonly format?: string;
}

/** `akin put INPUT...`: hands pages over to a server. */
export function putCommand(terminal: Terminal): Command {
  return withServer(new Command('put').description('hand pages over to a server that takes them'))
    .argument('<input...>', 'pages, as for akin index')
    .option('--base <URL>', 'URL of folders that are given without one')
    .option('--format <FORMAT>', 'of standard input: warc or jsonl, where the first bytes do not say')
    .addHelpText('after', PUT_HELP)
    .action(async (words: string[], { base, format, ...flags }: PutFlags) => {
      if (format !== undefined && format !== 'warc' && format !== 'jsonl') {
        throw optionFault(`--format is "${format}"; allowed: warc, jsonl`);
      }
      requireFormatUse(format, words);
      let lostCount = 0;
      const handed = new Set<string>();
      const lines = async function* (say: (text: string) => void) {
        const leftOut = (text: string, isLost: boolean) => {
          if (isLost) lostCount++;
          say(text);
        };
        for (const { path, ...how } of parseInputs(words, base ?? null, format ?? null)) {
          const source = await openSource(path, { maxPageBytes: MAX_PAGE_BYTES, ...how });
          yield* captureLines(source, leftOut, handed);
        }
      };
      await report(lines, flags, terminal, 'kept', () => lostCount);
    });
}

/** `akin delete URL...`: says that pages are gone. */
export function deleteCommand(terminal: Terminal): Command {
  return withServer(new Command('delete').description('say to a server that pages are gone'))
    .argument('<url...>', 'pages')
    .addHelpText('after', DELETE_HELP)
    .action(async (urls: string[], flags: Flags) => {
      const bad = urls.find((url) => canonicalUrl(url) === null);
      if (bad !== undefined) {
        throw new InputError('AKIN_ERR_URL', `"${bad}" is not an http(s) URL`, {
          hint: 'nothing was deleted; leave it out and call again',
        });
      }
      const lines = async function* () {
        for (const url of urls) yield JSON.stringify({ url, status: 410 });
      };
      await report(lines, flags, terminal, 'deleted');
    });
}

function withServer(command: Command): Command {
  return command
    .option('--server <URL>', 'the server, with its base path', LOCAL)
    .option('--json', 'print the counts as JSON');
}

/**
 * @param lines given what says a line to who called. @param lostCount of pages that are none of the lines.
 *
 * Errors  those of `handOver`; InputError AKIN_ERR_DOCUMENT where some pages were not kept, NotIndexedError
 *         AKIN_ERR_PAGE_NOT_INDEXED where some that are to go were not there.
 */
async function report(
  lines: (say: (text: string) => void) => AsyncIterable<string>,
  { server, json }: Flags,
  terminal: Terminal,
  done: 'kept' | 'deleted',
  lostCount = () => 0,
): Promise<void> {
  const receiver = { server, key: terminal.env['AKIN_WRITE_KEY'] || undefined };
  const progress = new ProgressReporter(terminal.stderr, { verbose: false, now: Date.now });
  const say = (text: string) => progress.say(`akin: ${printable(text)}`);
  progress.stageStarted({ name: done, unit: 'pages', total: null, resumed: false });
  const sent = (count: number) => progress.stageProgress(count, null);
  const handed = await handOver(lines(say), receiver, { fault: say, waits: say, sent }).finally(() =>
    progress.close(),
  );
  const received = handed.received + lostCount();
  const sums = { ...handed, received, failed: handed.failed + lostCount() };
  if (json === true) printReport(terminal, sums);
  else print(terminal, textOf(sums) || `no page was ${done}`);
  if (sums.failed === 0) return;
  const said = `${sums.failed} of ${sums.received} pages were not ${done}`;
  throw done === 'deleted'
    ? new NotIndexedError('AKIN_ERR_PAGE_NOT_INDEXED', said)
    : new InputError('AKIN_ERR_DOCUMENT', said);
}

function textOf(sums: HandedOver): string {
  return WRITTEN.filter((count) => sums[count] > 0)
    .map((count) => `${sums[count]} ${count}${count === 'older' ? ' than what is there, not kept' : ''}`)
    .join(', ');
}
