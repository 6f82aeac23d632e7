import { Command } from 'commander';
import { KNOB_NAMES, KNOBS, loadConfig } from '../settings/config.ts';
import { formatBytes } from '../settings/knob.ts';
import { addKnobs, givenFlags } from '../settings/options.ts';
import { left, renderTable } from '../terminal/table.ts';
import { print, printJson, type Terminal } from '../terminal/terminal.ts';

/** `akin config`: every setting with its value and where the value came from. */
export function configCommand(terminal: Terminal): Command {
  const command = new Command('config')
    .description('print every setting, its value and where it came from')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  akin config\n  AKIN_PORT=8080 akin config --memory 512M');
  addKnobs(command, KNOB_NAMES);
  return command.action((options: { json?: true }) => {
    const { config, origins } = loadConfig(givenFlags(command, KNOB_NAMES), terminal.env);
    const rows = KNOB_NAMES.map((name) => {
      const { flag, env, unit, doc } = KNOBS[name];
      return { name, value: config[name], unit, origin: origins[name], flag, env, doc };
    });
    if (options.json === true) return printJson(terminal, rows);
    const shown = rows.map(({ flag, env, value, unit, origin, doc }) => [
      flag,
      env,
      unit === 'bytes' ? formatBytes(value as number) : String(value) || '-',
      origin,
      doc,
    ]);
    print(terminal, renderTable(['Flag', 'Environment', 'Value', 'From', 'Meaning'].map(left), shown));
  });
}
