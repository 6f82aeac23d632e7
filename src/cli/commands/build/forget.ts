import { existsSync, readFileSync } from 'node:fs';
import { Command } from 'commander';
import { TransientError } from '../../../errors.ts';
import { resourcesOf } from '../../../indexer/files/budget.ts';
import type { PageJournal } from '../../../store/journal/page-journal.ts';
import { pagesText } from '../../build/report-text.ts';
import { build } from '../../build/run-build.ts';
import type { KnobName } from '../../settings/config.ts';
import { addKnobs, configOf } from '../../settings/options.ts';
import { formatDuration, formatNumberOf, formatSize } from '../../terminal/table.ts';
import { print, printReport, type Terminal, tell } from '../../terminal/terminal.ts';

const NAMES: KnobName[] = ['memoryBytes', 'workerCount'];

type ForgetFlags = { readonly json?: true };

const HELP = `
A page goes with its captures, its words, its links, the links of other pages to it, and the URLs that lead to it.
Its text goes too, unless another page has the same text. If a URL is only an alias of a page, the alias goes and
the page stays. The index is built again, so nothing of what was forgotten is left in the file,
nor in the pages beside it that wait for a fold; a page that only waits is forgotten there. Rules for lists (FILE.rules.json) and judgements
(FILE.feedback.jsonl) stay as they are: where they have one of the URLs, the command says so. Shards are built as one index and split again, as by akin add.

Examples:
  akin forget web.akin https://example.org/private https://example.org/old
  akin forget shards/ https://example.org/private`;

/** `akin forget FILE URL...`: takes pages out of an index. */
export function forgetCommand(terminal: Terminal): Command {
  const command = new Command('forget')
    .description('take pages out of an index, with all that is known of them')
    .argument('<file>', 'the index, or the folder of its shards')
    .argument('<url...>', 'pages, or aliases of pages')
    .option('--json', 'print the report as JSON on standard output')
    .addHelpText('after', HELP);
  addKnobs(command, NAMES);
  return command.action(async (target: string, urls: string[], flags: ForgetFlags) => {
    const resources = resourcesOf(configOf(command, NAMES, terminal));
    const { filesOf } = await import('../../../indexer/options/stored-options.ts');
    const { isFolder } = await import('../../../store/read/shard-files.ts');
    const { JournalReader } = await import('../../../store/journal/journal-reader.ts');
    const { journalPathOf } = await import('../../../store/journal/page-journal.ts');
    const { withoutUrls } = await import('../../../indexer/options/without-urls.ts');
    // What waits for shards stands beside the first of them.
    const first = filesOf(target)[0]!;
    const path = journalPathOf(first);
    const waiting = JournalReader.read(path);
    const { options, forgotten } = withoutUrls(
      { target, ...resources },
      urls,
      (url) => waiting?.has(url) === true,
    );
    waiting?.close();
    const { waitingCount } = forgotten;
    const isOfIndex = waitingCount < options.without!.length;
    const how = isFolder(target) ? 'changeShards' : 'build';
    const report = isOfIndex ? await build(options, terminal, false, how) : null;
    await eraseWaiting(path, options.without!, terminal, waitingCount > 0);
    const namedIn = await filesNaming(first, options.without!);
    for (const one of namedIn)
      tell(terminal, `akin: ${one} still has some of these URLs; take them out there`);
    if (flags.json === true) {
      printReport(terminal, { ...report, forgotten, namedIn });
      return;
    }
    const waited = waitingCount === 0 ? [] : [`${formatNumberOf(waitingCount, 'page')} that waited`];
    if (report === null) {
      print(terminal, `${target}: forgot ${waited[0]}`);
      return;
    }
    const parts = [
      formatNumberOf(forgotten.pageCount, 'page'),
      ...waited,
      formatNumberOf(forgotten.aliasCount, 'alias', 'aliases'),
    ];
    print(
      terminal,
      `${target}: forgot ${parts.join(', ')} and ${formatNumberOf(forgotten.versionCount, 'text')} ` +
        `in ${formatDuration(report.durationMs)}; left: ${pagesText(report)}, ` +
        `index ${formatSize(report.indexBytes)}`,
    );
  });
}

/** What the app and its visitors said of these pages, beside the index: files that have one of the URLs as a text of JSON. */
async function filesNaming(indexPath: string, urls: readonly string[]): Promise<string[]> {
  const { rulesPathOf } = await import('../../../store/rules-file.ts');
  const { feedbackPathOf } = await import('../../../store/feedback-log.ts');
  return [rulesPathOf(indexPath), feedbackPathOf(indexPath)].filter((path) => {
    if (!existsSync(path)) return false;
    const bytes = readFileSync(path);
    return urls.some((url) => bytes.includes(JSON.stringify(url)));
  });
}

/**
 * Takes the pages out of the journal beside the index, too, with what it still has of those that were folded in.
 *
 * @param isAlone whether some of them are there alone.
 *
 * Errors  TransientError AKIN_ERR_INDEX_BUSY where a server has it, and some are there alone.
 */
async function eraseWaiting(
  path: string,
  urls: readonly string[],
  terminal: Terminal,
  isAlone: boolean,
): Promise<void> {
  const { PageJournal } = await import('../../../store/journal/page-journal.ts');
  if (!existsSync(path)) return;
  let journal: PageJournal;
  try {
    journal = PageJournal.open(path);
  } catch (error) {
    if (!(error instanceof TransientError)) throw error;
    if (isAlone)
      throw new TransientError(
        'AKIN_ERR_INDEX_BUSY',
        `a server has ${path}: what waits there was not forgotten`,
        {
          cause: error,
          hint: 'akin delete URL takes a page out that waits; or stop the server and call again',
        },
      );
    tell(
      terminal,
      `akin: a server has ${path}: what waits there of these pages stays; akin delete takes it out`,
    );
    return;
  }
  try {
    journal.erase(urls);
  } finally {
    journal.close();
  }
}
