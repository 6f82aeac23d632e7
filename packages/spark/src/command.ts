import { BUILD_NAMES, buildOptions } from 'akin-web/rooms/cli/build/build-options';
import { inTerminal } from 'akin-web/rooms/cli/program';
import { perform } from 'akin-web/rooms/cli/run';
import { addKnobs, configOf } from 'akin-web/rooms/cli/settings/options';
import { printJson, type Terminal, tell } from 'akin-web/rooms/cli/terminal/terminal';
import { optionFault } from 'akin-web/rooms/errors';
import { distinguishing } from 'akin-web/rooms/indexer/files/build-key';
import { type BuildOptions, oneMachineOptions } from 'akin-web/rooms/indexer/options/build-options';
import { ALGORITHM_VERSION, FORMAT_VERSION } from 'akin-web/rooms/store/database';
import { Command, Option } from 'commander';
import { stagedParts } from './pages/staged-parts.ts';
import { RECORDS_VERSION } from './record/columns.ts';
import type { Stage, StageContext } from './record/stage.ts';
import { runStage } from './run-stage.ts';
import { sharedNumbers } from './shared-numbers.ts';
import { STAGES } from './stages.ts';

const HELP = `
A record is a line, its columns apart by tabs: text with \\t \\n \\r \\\\ escaped, bytes in base64, \\N for null.
A record that cannot be used is a line of JSON on standard error, and the last line there has the counts.
docs/spark.md shows how Spark runs stages; docs/formats/records.md has the form of the records.

Examples:
  akin-stage                     lists the stages
  akin-stage bag --describe      the columns of a stage, as JSON
  akin-stage decide < answers.tsv > decided.tsv`;

/** What a build on one machine may use, and the form of its standard input, say nothing to a stage. */
const NAMES = BUILD_NAMES.filter((name) => !['memoryBytes', 'workerCount', 'format'].includes(name));

interface StageFlags {
  readonly describe?: true;
  readonly recordsVersion?: string;
  readonly found: string;
}

/** Runs one command line; prints what went wrong and returns the exit code. */
export function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  const command = inTerminal(stageCommand(terminal), terminal);
  return perform(async () => {
    await command.parseAsync(argv, { from: 'user' });
  }, terminal);
}

/** `akin-stage NAME`: one step of a build over records on standard input. */
function stageCommand(terminal: Terminal): Command {
  const command = new Command('akin-stage')
    .description('Runs one step of a build over records on standard input.')
    .argument('[name]', 'which; without it, all are listed')
    .option('--describe', 'print the columns, the options and shared numbers as JSON and read nothing')
    .option('--found <JSON>', 'what earlier steps found', '{}')
    .addOption(new Option('--records-version <N>', 'refuse to run if the form of the records is another one'))
    .addHelpText('after', HELP);
  addKnobs(command, NAMES);
  return command.action(async (name: string | undefined, flags: StageFlags) => {
    requireVersion(flags.recordsVersion);
    if (name === undefined) {
      const width = Math.max(...STAGES.map(({ name: { length } }) => length)) + 2;
      for (const one of STAGES) terminal.stdout.write(`${one.name.padEnd(width)}${one.doc}\n`);
      return;
    }
    const stage = stageOf(name);
    const options = buildOptions([], { to: '' }, configOf(command, NAMES, terminal));
    const found = parseFound(flags.found);
    if (flags.describe === true) printJson(terminal, describe(stage, options, found));
    else {
      const say = (line: unknown) => tell(terminal, JSON.stringify(line));
      say(await runStage(stage, { options, found }, terminal.stdin, terminal.stdout, say));
    }
  });
}

function stageOf(name: string): Stage {
  const stage = STAGES.find((one) => one.name === name);
  if (stage !== undefined) return stage;
  throw optionFault(`there is no stage "${name}"`, `there are ${STAGES.map((one) => one.name).join(', ')}`);
}

/** What a job has to know of a stage, and of the build that it is a step of. */
function describe(stage: Stage, options: BuildOptions, found: StageContext['found']) {
  const { name, doc, order, input, output } = stage;
  return {
    name,
    doc,
    order,
    input,
    output,
    plan: stage.plan?.({ options, found }) ?? {},
    options: distinguishing(options),
    oneMachine: oneMachineOptions(options),
    numbers: sharedNumbers(options),
    parts: stagedParts(options.parts),
    versions: { algorithm: ALGORITHM_VERSION, format: FORMAT_VERSION },
  };
}

function requireVersion(asked: string | undefined): void {
  if (asked === undefined || asked === String(RECORDS_VERSION)) return;
  throw optionFault(
    `--records-version is ${asked}; this akin has ${RECORDS_VERSION}`,
    'run the job and its stages with one version of akin',
  );
}

function parseFound(json: string): Readonly<Record<string, unknown>> {
  try {
    const found: unknown = JSON.parse(json);
    if (typeof found === 'object' && found !== null) return found as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw optionFault(`--found is no JSON object: ${json.slice(0, 80)}`);
}
