import { readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { LIST_FILTERS } from '../../service/schemas/parameters/list-filters.ts';
import { givenTo, optionsOf } from '../answers/asking-command.ts';
import { EMPTY_TEXTS } from '../answers/phrases.ts';
import { newWorkFolder } from '../aside/work-folder.ts';
import { marksText } from '../build/report-text.ts';
import { withProgress } from '../terminal/page-reading.ts';
import { formatCount, formatNumberOf } from '../terminal/table.ts';
import { print, printable, printReport, type Terminal, tell } from '../terminal/terminal.ts';

const HELP = `
The list stands at <!-- akin-related --> in a page, or in an empty <akin-related>; the next run replaces it. It is the HTML of
GET /related.html. Near copies and pages outside of the folder are not listed, nor,
where more than a tenth of the pages have a place, those without one, such as lists of posts.
Pages that ask not to be indexed (noindex), error pages such as 404.html and pages in a folder drafts get no list and are in none.

The lists are kept for the next run, and made again when a page or an option has changed, with --boost each day, too: in --cache, else in
node_modules/.cache/akin, and where there is no node_modules in ~/.cache/akin (XDG_CACHE_HOME).

Examples:
  akin inject dist --base https://example.org/
  akin inject public --base https://example.org/blog/ --limit 3 --heading "Read on"
  akin inject dist --base https://example.org/ --dry-run`;

type Flags = Readonly<Record<string, string | string[] | true | undefined>>;

/** What a list has not, or always has. */
const {
  explain: _explain,
  facets: _facets,
  fields: _fields,
  exclude_copies: _copies,
  fetched: _fetched,
  limit: _limit,
  ...FILTERS
} = LIST_FILTERS;

/** `akin inject FOLDER --base URL`: related pages in the pages of a site generator. */
export function injectCommand(terminal: Terminal): Command {
  const command = new Command('inject')
    .description('write related pages into the HTML pages of a folder')
    .argument('<folder>', 'what a site generator wrote')
    .requiredOption('--base <URL>', 'the URL that the folder is published at')
    .option('--limit <N>', 'pages in a list at most', '5')
    .option(
      '--heading <TEXT>',
      'heading of each list; an empty one leaves it out (default "Related pages", in the language of the page)',
    )
    .option('--cards', 'show picture, description and date of the pages')
    .option('--clean-urls', 'a.html is published as a')
    .option('--path-links', 'links are paths (/post), for a site that is shown at other addresses too')
    .option(
      '--body <SELECTOR>',
      'only these elements of a page count, where none is marked with data-akin-body',
    )
    .option('--ignore <SELECTOR>', 'these elements of a page do not count')
    .option('--cache <FOLDER>', 'where the lists are kept for the next run')
    .option('--dry-run', 'print which pages would change, and write none of them')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', HELP);
  const options = optionsOf(FILTERS);
  for (const { option } of options) command.addOption(option);
  return command.action(async (folder: string, flags: Flags) => {
    const { modulesCache } = await import('../../library/site/list-cache.ts');
    const { aside } = await import('../aside/aside.ts');
    const given = {
      ...givenTo(options, flags),
      limit: flags['limit'] as unknown as number,
      base: String(flags['base']),
      ...(flags['heading'] !== undefined && { heading: String(flags['heading']) }),
      cards: flags['cards'] === true,
      cleanUrls: flags['cleanUrls'] === true,
      dryRun: flags['dryRun'] === true,
      pathLinks: flags['pathLinks'] === true,
      body: String(flags['body'] ?? ''),
      ignore: String(flags['ignore'] ?? ''),
      cache: String(flags['cache'] ?? modulesCache() ?? userCache(terminal)),
    };
    const work = newWorkFolder('inject');
    const lastWords = ['akin: stopped; each page is as it was, or has its list'];
    const how = { verbose: false, lastWords, onStop: work.remove };
    const order = { folder, options: { ...given, workFolder: work.folder } };
    const report = await withProgress(terminal, how, (listener) =>
      aside('inject', order, likelyBytes(folder), false, {
        // Stages are said while they take long: most sites need seconds.
        stageStarted: (stage) => listener.stageStarted(stage),
        stageProgress: (done, total) => listener.stageProgress(done, total),
        stageEnded() {},
        fault() {},
      }),
    ).finally(work.remove);
    if (flags['json'] === true) return printReport(terminal, report);
    if (flags['dryRun'] === true) for (const path of report.changed) print(terminal, printable(path));
    for (const path of report.unwritable) {
      tell(terminal, `akin: ${printable(path)} is UTF-16 or ISO-2022-JP, which gets no list`);
    }
    for (const line of report.unreadable) tell(terminal, `akin: passed over ${printable(line)}`);
    if (report.cacheFault !== null) {
      tell(terminal, `akin: the lists are not kept for the next run: ${printable(report.cacheFault)}`);
    }
    const { noindexCount } = report;
    const noindex =
      noindexCount === 0 ? '' : `, and ${formatNumberOf(noindexCount, 'page')} with a place and noindex`;
    const would = flags['dryRun'] === true ? ' would change' : ' changed';
    tell(
      terminal,
      `akin: ${formatNumberOf(report.changed.length, 'page')}${would}; of ${formatNumberOf(report.pageCount, 'page')} ` +
        `${formatCount(report.placeCount)} have a place for a list and ${formatCount(report.listCount)} show related pages; ` +
        `${formatNumberOf(report.passedOverCount, 'error page or draft', 'error pages and drafts')} passed over${noindex}`,
    );
    for (const line of marksText(report, 'page')) tell(terminal, `akin: ${line}`);
    const [reason] = report.emptyReasons;
    if (report.listCount === 0 && reason !== undefined) {
      const trial = reason === 'no_known_words' ? '; in a trial, take some dozens of pages' : '';
      tell(terminal, `hint: ${EMPTY_TEXTS[reason]}${trial}`);
    }
  });
}

const USUAL_PAGE_BYTES = 10_000;

/** A guess, by which a thread is worth its start or not. */
function likelyBytes(folder: string): number {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? USUAL_PAGE_BYTES * readdirSync(folder, { recursive: true }).length : 0;
}

/** Where the files of a user lie that can be made again. */
function userCache({ env }: Terminal): string {
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'akin');
}
