import { Command } from 'commander';
import { EXIT_HELP } from './terminal/process-end.ts';
import type { Terminal } from './terminal/terminal.ts';

const EXAMPLES = `
Examples:
  akin index crawl.warc.gz --to web.akin
  akin serve web.akin --port 8080
  akin related web.akin https://example.org/page
  akin compare old.html new.html
  akin help index

${EXIT_HELP}`;

/** By its name what makes a command, loaded when it is wanted: all of them are 400 files. In the order of the help. */
const COMMANDS: Readonly<Record<string, () => Promise<(terminal: Terminal) => Command>>> = {
  up: async () => (await import('./commands/up.ts')).upCommand,
  crawl: async () => (await import('./commands/crawl.ts')).crawlCommand,
  index: async () => (await import('./commands/build/index.ts')).indexCommand,
  add: async () => (await import('./commands/build/add.ts')).addCommand,
  forget: async () => (await import('./commands/build/forget.ts')).forgetCommand,
  split: async () => (await import('./commands/build/split.ts')).splitCommand,
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  put: async () => (await import('./commands/put.ts')).putCommand,
  delete: async () => (await import('./commands/put.ts')).deleteCommand,
  related: async () => (await import('./commands/questions.ts')).relatedCommand,
  cluster: async () => (await import('./commands/questions.ts')).clusterCommand,
  similar: async () => (await import('./commands/questions.ts')).similarCommand,
  search: async () => (await import('./commands/questions.ts')).searchCommand,
  compare: async () => (await import('./commands/compare.ts')).compareCommand,
  cover: async () => (await import('./commands/questions.ts')).coverCommand,
  group: async () => (await import('./commands/questions.ts')).groupCommand,
  moved: async () => (await import('./commands/moved.ts')).movedCommand,
  history: async () => (await import('./commands/questions.ts')).historyCommand,
  changes: async () => (await import('./commands/export.ts')).changesCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  inject: async () => (await import('./commands/inject.ts')).injectCommand,
  show: async () => (await import('./commands/show.ts')).showCommand,
  evaluate: async () => (await import('./commands/evaluate.ts')).evaluateCommand,
  tune: async () => (await import('./commands/tune.ts')).tuneCommand,
  pairs: async () => (await import('./commands/export.ts')).pairsCommand,
  check: async () => (await import('./commands/check.ts')).checkCommand,
  config: async () => (await import('./commands/config.ts')).configCommand,
  key: async () => (await import('./commands/key.ts')).keyCommand,
};
const IS_VERSION = /^(?:-V|--version)$/;

export function isCommand(name: string | undefined): boolean {
  return name !== undefined && Object.hasOwn(COMMANDS, name);
}

/** The command line for these words: with the command that they name, or with all where they name none. */
export async function buildProgram(
  terminal: Terminal,
  version: string,
  [first, second]: readonly string[],
): Promise<Command> {
  const program = inTerminal(new Command('akin'), terminal)
    .description("What's related for the web: index pages, then ask which are related.")
    .version(`akin ${version}`, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help; also: akin help COMMAND')
    .helpCommand('help [command]', 'print help for a command')
    .addHelpText('after', EXAMPLES)
    .showSuggestionAfterError();
  if (first !== undefined && IS_VERSION.test(first)) return program;
  const wanted = first === 'help' ? second : first;
  for (const [name, load] of Object.entries(COMMANDS)) {
    if (isCommand(wanted) && name !== wanted) continue;
    const command = (await load())(terminal);
    command.copyInheritedSettings(program);
    program.addCommand(command);
  }
  return program;
}

/** A command that writes to the terminal, and throws commander's errors instead of ending the process. */
export function inTerminal(command: Command, terminal: Terminal): Command {
  return command.exitOverride().configureOutput({
    writeOut: (text) => terminal.stdout.write(text),
    writeErr: (text) => terminal.stderr.write(text),
    // run.ts prints every error in one form
    outputError: () => {},
  });
}
