import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import type { CrawlProgress } from '../../crawl/folder/crawl-folder.ts';
import type { CrawlSettings } from '../../crawl/rules/options.ts';
import { InputError, optionFault } from '../../errors.ts';
import { type Config, type KnobName, namesOf } from '../settings/config.ts';
import { CRAWL_KNOBS, parsePartition } from '../settings/crawl-knobs.ts';
import { requireFolder, requireTargetFolder } from '../settings/inputs.ts';
import { addKnobs, configOf, givenFlags } from '../settings/options.ts';
import { parseSeeds } from '../settings/seeds.ts';
import { CrawlStatus } from '../terminal/crawl-status.ts';
import { crawlSummary } from '../terminal/crawl-summary.ts';
import { END_OF, type EndSignal } from '../terminal/process-end.ts';
import { print, printReport, type Terminal, tell } from '../terminal/terminal.ts';
import { TAKEN_SWEEPS, takenSweeps } from '../up/taken-sweeps.ts';

export const CRAWL_NAMES: KnobName[] = [...namesOf(CRAWL_KNOBS), 'maxPageBytes'];

const HELP = `
SEED is a URL, also of a sitemap or feed, or a file with one URL a line. The folder gets WARC files for akin index,
a log of every fetch (log.jsonl), counts for Prometheus (metrics.prom), and the list of URLs still to fetch.
--resume goes on from there: after Ctrl-C, after a crash, with higher limits, or when a server is back.

Examples:
  akin crawl https://example.org/ --contact https://me.example/bot --to crawl/
  akin index crawl/ --to web.akin
  akin crawl --resume --to crawl/ --wacz site.wacz
  akin crawl --recrawl web.akin --to crawl/
  akin show crawl/`;

interface CrawlFlags {
  readonly to: string;
  readonly resume?: true;
  readonly recrawl?: string;
  readonly wacz?: string;
  readonly json?: true;
}

/** `akin crawl SEED... --to FOLDER`: fetches pages into WARC files. */
export function crawlCommand(terminal: Terminal): Command {
  const command = new Command('crawl')
    .description('crawl sites into WARC files')
    .argument('[seed...]', 'where to begin; see below')
    .requiredOption('--to <FOLDER>', 'where the crawl is kept')
    .option('--resume', 'continue the crawl in the folder, with its settings; options given now replace them')
    .option('--recrawl <FILE>', 'fetch the pages of an index again; pages that change often come first')
    .option(
      '--wacz <FILE>',
      'write all that is archived as one WACZ file, too, which viewers of archives open',
    )
    .option('--json', 'print the summary as JSON on standard output')
    .addHelpText('after', HELP);
  addKnobs(command, CRAWL_NAMES);
  return command.action(async (words: string[], flags: CrawlFlags) => {
    const config = configOf(command, CRAWL_NAMES, terminal);
    if (flags.resume === true && flags.recrawl !== undefined) {
      throw optionFault(
        '--resume and --recrawl cannot be used together',
        'give --resume to go on with a sweep, or --recrawl to begin the next one',
      );
    }
    requireFolder(flags.to, '--to crawl/');
    if (flags.resume === true) await requireUntaken(flags.to);
    if (flags.wacz !== undefined) requireTargetFolder(flags.wacz, '--wacz site.wacz');
    const settings = crawlSettings(config, CRAWL_NAMES) as CrawlSettings;
    if (settings.contact === '' && settings.allowedAddresses.length === 0 && flags.resume !== true) {
      tell(terminal, 'akin: without --contact the owners of the sites cannot tell who crawls them');
    }
    const { progress, stoppedBy } = await runCrawl(terminal, {
      folder: flags.to,
      mode: flags.resume === true ? 'resume' : flags.recrawl === undefined ? 'new' : 'recrawl',
      settings,
      changed: crawlSettings(config, namesOf(givenFlags(command, CRAWL_NAMES))),
      seeds: parseSeeds(words),
      indexPath: flags.recrawl ?? null,
    });
    const wacz = flags.wacz === undefined ? null : await waczOf(flags.to, flags.wacz);
    if (flags.json === true) printReport(terminal, { folder: flags.to, ...progress, ...(wacz && { wacz }) });
    else print(terminal, crawlSummary(flags.to, progress));
    if (flags.json !== true && wacz !== null) {
      print(terminal, `wrote ${wacz.file}: ${wacz.pages} pages, ${wacz.captures} captures`);
    }
    const { ending, counts } = progress.state;
    // Failures are those of all runs, hosts given up those of the last.
    if (counts.failures.address !== undefined && counts.retiredHosts > 0) tell(terminal, ADDRESS_HINT);
    // akin up goes on by itself, and would not take what is fetched beside it.
    const isOfUp = process.channel !== undefined;
    if ((ending !== 'complete' || counts.skipped.unreachable !== undefined) && !isOfUp)
      tell(terminal, `hint: akin crawl --resume --to ${flags.to} goes on`);
    if (ending === 'complete') requirePages(flags.to, progress);
    if (stoppedBy !== null) process.exit(END_OF[stoppedBy]);
  });
}

/** Errors  InputError AKIN_ERR_OPTION for a sweep that `akin up` has in its index: what came to it now would be in none. */
async function requireUntaken(folder: string): Promise<void> {
  const taken = join(folder, '..', TAKEN_SWEEPS);
  if (!existsSync(taken)) return;
  const { hasCrawl, readCrawl } = await import('../../crawl/folder/crawl-folder.ts');
  if (!hasCrawl(folder)) return;
  const { sweep } = readCrawl(folder, 0).state;
  if (takenSweeps(taken, () => 0).sweep < sweep) return;
  throw optionFault(
    `akin up has taken sweep ${sweep} of ${folder} into its index`,
    'call akin up again: its next crawl goes on with what is left',
  );
}

/** Errors  InputError AKIN_ERR_INPUT_EMPTY where a crawl that begins has come to its end without a page. */
function requirePages(folder: string, { state: { sweep, counts } }: CrawlProgress): void {
  if (sweep > 1 || counts.pages + counts.revisits + counts.forwarded > 0) return;
  throw new InputError('AKIN_ERR_INPUT_EMPTY', 'no page was fetched', {
    hint: `${join(folder, 'log.jsonl')} says what became of each URL; a seed that ends in .xml, or sitemap*.txt, must be a sitemap or a feed`,
  });
}

async function waczOf(folder: string, file: string) {
  const { writeWacz } = await import('../../crawl/wacz/write-wacz.ts');
  return { file, ...(await writeWacz(folder, file, Date.now())) };
}

type CrawlCall = Omit<Parameters<typeof import('../../crawl/crawl.ts').crawl>[0], 'resolve' | 'signal'>;

/** Crawls with its progress on standard error; the first signal lets it finish what it fetches, the second ends it. */
async function runCrawl(
  terminal: Terminal,
  options: CrawlCall,
): Promise<{ progress: CrawlProgress; stoppedBy: EndSignal | null }> {
  const [{ crawl }, { systemResolve }] = await Promise.all([
    import('../../crawl/crawl.ts'),
    import('../../net/dns-cache.ts'),
  ]);
  const status = new CrawlStatus(terminal.stderr, () => performance.now());
  const stopping = new AbortController();
  let stoppedBy: EndSignal | null = null;
  const stop = (signal: EndSignal) => {
    if (stoppedBy !== null) process.exit(END_OF[signal]);
    stoppedBy = signal;
    status.line('akin: finishing what is being fetched; again ends it at once');
    stopping.abort();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  try {
    const world = { now: Date.now, random: Math.random, retryMs: RETRY_MS };
    const { signal } = stopping;
    const progress = await crawl({ ...options, resolve: systemResolve, signal }, world, (now) =>
      status.show(now),
    );
    return { progress, stoppedBy };
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    status.close();
  }
}

const ADDRESS_HINT =
  'hint: an address that is not public is fetched from only with --allow-address, such as --allow-address 10.0.0.0/8; with --resume, too';
const RETRY_MS = 10_000;

/** What is another setting of the crawl than its name here says. */
const CONVERTED: { readonly [Name in KnobName]?: (value: Config[Name]) => Partial<CrawlSettings> } = {
  delaySeconds: (seconds) => ({ delayMs: seconds * 1000 }),
  timeLimitSeconds: (seconds) => ({ timeLimitMs: seconds * 1000 }),
  allowedAddresses: (list) => ({ allowedAddresses: list === '' ? [] : list.split(',') }),
  partition: (text) => parsePartition(text)!,
  tls: (trust) => ({ requireTrust: trust === 'strict' }),
  copyStop: (stopsAtCopies) => ({ stopsAtCopies }),
};

/** Some settings of a crawl, in its own terms. */
function crawlSettings(config: Config, names: readonly KnobName[]): Partial<CrawlSettings> {
  const convert = (name: KnobName) =>
    (CONVERTED[name] as ((value: unknown) => object) | undefined)?.(config[name]) ?? { [name]: config[name] };
  return Object.assign({}, ...names.map(convert));
}
