import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { optionFault } from '../../../errors.ts';
import { linkedFile } from '../../../store/linked-file.ts';
import { requireTargetFolder } from '../../settings/inputs.ts';

/**
 * Refuses a file that a report must not replace: an input of the command, an index, anything but a plain file. Checked
 * before the work, not after.
 *
 * @param example of the flag that names it, such as `--html report.html`.
 * Errors  InputError AKIN_ERR_OPTION, AKIN_ERR_INPUT_MISSING.
 */
export async function requireReportFile(
  target: string,
  inputs: readonly string[],
  example: string,
): Promise<void> {
  requireTargetFolder(target, example);
  const file = statSync(target, { throwIfNoEntry: false });
  if (file === undefined) return;
  const isInput = inputs.some((path) => {
    const input = statSync(path, { throwIfNoEntry: false });
    return input?.ino === file.ino && input.dev === file.dev;
  });
  const { isIndexFile } = await import('../../../store/database.ts');
  const fault = isInput
    ? 'is an input of this command'
    : !file.isFile()
      ? 'is not a plain file'
      : isIndexFile(target)
        ? 'is an index'
        : null;
  if (fault === null) return;
  throw optionFault(`${target} ${fault}; the report would replace it`, `choose another file: ${example}`);
}

/** Writes a file beside the target and renames it over the target: a reader sees the old file or the complete new one. */
export function replaceFile(target: string, text: string): void {
  const path = linkedFile(target);
  const next = `${path}.${process.pid}.part`;
  try {
    writeFileSync(next, text);
    renameSync(next, path);
  } catch (cause) {
    rmSync(next, { force: true });
    throw optionFault(
      `cannot write ${target}: ${(cause as Error).message}`,
      'give a file in a folder that you may write to',
      cause,
    );
  }
}
