import { Command } from 'commander';
import { formatValue } from '../../indexer/options/knob.ts';
import { KNOB_NAMES, knobOf, loadConfig } from '../settings/config.ts';
import { addKnobs, givenFlags } from '../settings/options.ts';
import { left, renderTable } from '../terminal/table.ts';
import { print, printReport, type Terminal } from '../terminal/terminal.ts';

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
      const knob = knobOf(name);
      const { env, unit, doc, word } = knob;
      const flag = knob.flag ?? `--set ${word}`;
      return { name, value: knob.written(config[name]), unit, origin: origins[name], flag, env, doc };
    });
    if (options.json === true) return printReport(terminal, rows);
    const shown = rows.map(({ name, flag, env, origin, doc }) => [
      flag,
      env,
      formatValue(knobOf(name), config[name]) || '-',
      origin,
      doc,
    ]);
    print(terminal, renderTable(['Flag', 'Environment', 'Value', 'From', 'Meaning'].map(left), shown));
  });
}
