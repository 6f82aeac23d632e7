import { Command, Option } from 'commander';
import { InputError } from '../../errors.ts';
import { oneMachineOptions, type ShapingOptions } from '../../indexer/options/build-options.ts';
import type { Stage } from '../../stages/record/stage.ts';
import { BUILD_NAMES, buildOptions } from '../build/build-options.ts';
import { addKnobs, configOf } from '../settings/options.ts';
import { printJson, type Terminal, tell } from '../terminal/terminal.ts';

const HELP = `
A record is a line, its columns apart by tabs: text with \\t \\n \\r \\\\ escaped, bytes in base64, \\N for null.
A record that cannot be used is a line of JSON on standard error, and the last line there has the counts.
docs/spark.md shows how Spark runs stages; docs/formats/records.md has the form of the records.

Examples:
  akin stage                     lists the stages
  akin stage bag --describe      the columns of a stage, as JSON
  akin stage decide < answers.tsv > decided.tsv`;

interface StageFlags {
  readonly describe?: true;
  readonly recordsVersion?: string;
  readonly found: string;
}

/** `akin stage NAME`: one step of a build over records on standard input. */
export function stageCommand(terminal: Terminal): Command {
  const command = new Command('stage')
    .description('run one step of a build over records on standard input (for Spark)')
    .argument('[name]', 'which; without it, all are listed')
    .option('--describe', 'print the columns, the options and shared numbers as JSON and read nothing')
    .option('--found <JSON>', 'what earlier steps found', '{}')
    .addOption(new Option('--records-version <N>', 'refuse to run if the form of the records is another one'))
    .addHelpText('after', HELP);
  addKnobs(command, BUILD_NAMES);
  return command.action(async (name: string | undefined, flags: StageFlags) => {
    const { STAGES } = await import('../../stages/stages.ts');
    await requireVersion(flags.recordsVersion);
    const stage = STAGES.find((one) => one.name === name);
    const askedOptions = () => buildOptions([], { to: '' }, configOf(command, BUILD_NAMES, terminal));
    if (name === undefined) {
      for (const one of STAGES) terminal.stdout.write(`${one.name.padEnd(16)}${one.doc}\n`);
    } else if (stage === undefined) {
      throw new InputError('AKIN_ERR_OPTION', `there is no stage "${name}"`, {
        hint: `there are ${STAGES.map((one) => one.name).join(', ')}`,
      });
    } else if (flags.describe === true) {
      const { doc, order, input, output } = stage;
      const { stagedParts } = await import('../../stages/pages/staged-parts.ts');
      const { distinguishing } = await import('../../indexer/files/work-folder.ts');
      const { sharedNumbers } = await import('../../stages/shared-numbers.ts');
      const asked = askedOptions();
      const plan = stage.plan?.({ options: asked, found: parseFound(flags.found) }) ?? {};
      const options = distinguishing(asked);
      const numbers = sharedNumbers(asked);
      const parts = stagedParts(options.parts);
      const { ALGORITHM_VERSION, FORMAT_VERSION } = await import('../../store/database.ts');
      const versions = { algorithm: ALGORITHM_VERSION, format: FORMAT_VERSION };
      const oneMachine = oneMachineOptions(options);
      printJson(terminal, {
        name,
        doc,
        order,
        input,
        output,
        plan,
        options,
        oneMachine,
        numbers,
        parts,
        versions,
      });
    } else {
      await runOver(stage, askedOptions(), parseFound(flags.found), terminal);
    }
  });
}

async function requireVersion(asked: string | undefined): Promise<void> {
  const { RECORDS_VERSION } = await import('../../stages/record/columns.ts');
  if (asked === undefined || asked === String(RECORDS_VERSION)) return;
  throw new InputError('AKIN_ERR_OPTION', `--records-version is ${asked}; this akin has ${RECORDS_VERSION}`, {
    hint: 'run the job and its stages with one version of akin',
  });
}

function parseFound(json: string): Readonly<Record<string, unknown>> {
  try {
    const found: unknown = JSON.parse(json);
    if (typeof found === 'object' && found !== null) return found as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new InputError('AKIN_ERR_OPTION', `--found is no JSON object: ${json.slice(0, 80)}`);
}

async function runOver(
  stage: Stage,
  options: ShapingOptions,
  found: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<void> {
  const { runStage } = await import('../../stages/run-stage.ts');
  const { stdin, stdout } = terminal;
  const say = (line: unknown) => tell(terminal, JSON.stringify(line));
  say(await runStage(stage, { options, found }, stdin, stdout, say));
}
