import { Command } from 'commander';
import { CorruptError } from '../../errors.ts';
import type { CheckOptions, CheckReport } from '../../store/check/check.ts';
import { ProgressReporter } from '../terminal/progress.ts';
import { print, printReport, type Terminal } from '../terminal/terminal.ts';

const REBUILD = 'build the index again from its source: akin index INPUT... --to FILE';

/** `akin check FILE`: verifies every invariant of an index; fails where one is broken. */
export function checkCommand(terminal: Terminal): Command {
  return new Command('check')
    .description('verify that an index is complete and undamaged; exit code 5 where it is not')
    .argument('<file>', 'the index, or the folder of its shards')
    .option(
      '--quick',
      'whether all but times is as it was written, by sums of the rows, and no more: a tenth of the time',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  akin check web.akin && echo whole\n  akin check copied.akin --quick',
    )
    .action(async (path: string, options: { quick?: true; json?: true }) => {
      const { filesOf } = await import('../../indexer/options/stored-options.ts');
      const isQuick = options.quick === true;
      const results: CheckReport[] = [];
      for (const file of filesOf(path)) {
        const result = await checked(terminal, file, { isQuick });
        results.push(result);
        if (options.json === true) continue;
        const isWhole = result.faults.length === 0;
        print(
          terminal,
          isWhole ? `${file} is ${isQuick ? 'as it was written' : 'whole'}` : result.faults.join('\n'),
        );
      }
      if (options.json === true)
        printReport(terminal, results.length === 1 ? results[0]! : { shards: results });
      const bad = results.filter(({ faults }) => faults.length > 0);
      if (bad.length === 0) return;
      const counts = bad.map(({ path: file, faults }) => {
        return `${file} has ${faults.length === 1 ? 'one fault' : `${faults.length} faults`}`;
      });
      throw new CorruptError('AKIN_ERR_INDEX_CORRUPT', counts.join(', '), { hint: REBUILD });
    });
}

/** Shows what is tried, as it takes minutes. Errors  those of a check, with what to do next: the hint of others is this command. */
async function checked(terminal: Terminal, path: string, options: CheckOptions) {
  const { checkIndex } = await import('../../store/check/check.ts');
  const progress = new ProgressReporter(terminal.stderr, { verbose: false, now: Date.now });
  const onStep = (name: string) =>
    progress.stageStarted({ name: `check: ${name}`, unit: '', total: null, resumed: false });
  try {
    return checkIndex(path, { ...options, onStep });
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    throw new CorruptError(error.code, error.message, { hint: REBUILD, cause: error });
  } finally {
    progress.close();
  }
}
