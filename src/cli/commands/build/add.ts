import { Command } from 'commander';
import { BUILD_NAMES, buildOptions } from '../../build/build-options.ts';
import { additionText } from '../../build/report-text.ts';
import { buildAndReport } from '../../build/run-build.ts';
import { configOf, givenFlags } from '../../settings/options.ts';
import {
  addReadingFlags,
  type ReadingFlags,
  requireFormatUse,
  requireSweepUse,
} from '../../terminal/page-reading.ts';
import type { Terminal } from '../../terminal/terminal.ts';

const TARGET =
  'the index to change, or the folder of its shards; it is replaced when the new state is complete';

const HELP = `
INPUT is what akin index takes. Every setting is as the index was built, unless you give another one.
The result is the same as if all sweeps had been indexed at once; but the HTML of pages is not kept, so other --body, --ignore
and --max-page count for what is read from then on. Add sweeps in their order, oldest first.
A server on the file answers all the time and switches to the new state when it is complete.

Shards are built as one index and split again, in as many as before; all of them change in one step.

Pages that are not in the sweep stay as they are. With --whole, what the sweep has holds, whatever its times. Pages of the
same sites that it does not have are gone, but for those that could not be read, and URLs of these sites that are known by links alone are no pages any more, now and with later sweeps: a
link to what a whole site does not have leads nowhere. Use it when a site is published again. A page that the sweep finds gone (404, 410) or that leads
elsewhere keeps its history, but is not listed any more. A page that asks not to be indexed is forgotten.

A sweep is one delivery of pages: a crawl, or the folder of a site. Of a folder of akin crawl those sweeps are added that come
behind the last one that the index has by its name (sweep-2, sweep-2-live-...), each as one, and that one again (sweep-2-2) where its archives were
written to since; --sweep names the last, and takes it in any case. The same pages can be added twice, as two sweeps. In a
script that may run again give each a name: one that the index has already is refused.

Examples:
  akin add crawl-2026-07.warc.gz --to web.akin
  akin add crawl/ --to web.akin
  akin add https://example.org/docs/=./site/docs --to docs.akin --sweep 2026-07 --whole
  akin add crawl-2026-07.warc.gz --to shards/`;

/** `akin add INPUT... --to FILE`: builds an index again from itself and a later sweep. */
export function addCommand(terminal: Terminal): Command {
  const command = new Command('add')
    .description('merge one more sweep of pages into an index')
    .addHelpText('after', HELP);
  addReadingFlags(command, TARGET, BUILD_NAMES);
  return command.action(async (paths: string[], flags: ReadingFlags) => {
    const given = givenFlags(command, ['format', 'sweepName']);
    requireFormatUse(given.format, paths);
    requireSweepUse(given.sweepName, flags);
    const { additionTo, readStoredOptions } = await import('../../../indexer/options/stored-options.ts');
    const { isFolder } = await import('../../../store/read/shard-files.ts');
    const stored = readStoredOptions(flags.to);
    const config = configOf(command, BUILD_NAMES, terminal, stored);
    const options = additionTo(buildOptions(paths, flags, config, stored));
    const work = isFolder(flags.to) ? 'changeShards' : 'build';
    await buildAndReport(options, terminal, flags, additionText, work);
  });
}
