import { Command } from 'commander';
import { CorruptError } from '../../errors.ts';
import { print, printReport, type Terminal } from '../terminal/terminal.ts';

const REBUILD = 'build the index again from its source: akin index INPUT... --to FILE';

/** `akin check FILE`: verifies every invariant of an index; fails where one is broken. */
export function checkCommand(terminal: Terminal): Command {
  return new Command('check')
    .description('verify that an index is complete and undamaged; exit code 5 where it is not')
    .argument('<file>', 'the index')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  akin check web.akin && echo whole')
    .action(async (path: string, options: { json?: true }) => {
      const { checkIndex } = await import('../../store/check/check.ts');
      const result = resultOf(() => checkIndex(path));
      const { faults } = result;
      if (options.json === true) printReport(terminal, result);
      else if (faults.length > 0) print(terminal, faults.join('\n'));
      if (faults.length > 0) {
        const count = faults.length === 1 ? 'one fault' : `${faults.length} faults`;
        throw new CorruptError('AKIN_ERR_INDEX_CORRUPT', `${path} has ${count}`, {
          hint: REBUILD,
        });
      }
      if (options.json !== true) print(terminal, `${path} is whole`);
    });
}

/** Errors  those of a check, with what to do next: the hint of others is this command. */
function resultOf<Result>(check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    throw new CorruptError(error.code, error.message, { hint: REBUILD, cause: error });
  }
}
