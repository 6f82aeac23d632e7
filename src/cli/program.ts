import { Command } from 'commander';
import { addCommand } from './commands/build/add.ts';
import { forgetCommand } from './commands/build/forget.ts';
import { indexCommand } from './commands/build/index.ts';
import { splitCommand } from './commands/build/split.ts';
import { checkCommand } from './commands/check.ts';
import { compareCommand } from './commands/compare.ts';
import { configCommand } from './commands/config.ts';
import { crawlCommand } from './commands/crawl.ts';
import { evaluateCommand } from './commands/evaluate.ts';
import { changesCommand, exportCommand, pairsCommand } from './commands/export.ts';
import { injectCommand } from './commands/inject.ts';
import { keyCommand } from './commands/key.ts';
import { movedCommand } from './commands/moved.ts';
import { deleteCommand, putCommand } from './commands/put.ts';
import {
  clusterCommand,
  coverCommand,
  groupCommand,
  historyCommand,
  relatedCommand,
  searchCommand,
  similarCommand,
} from './commands/questions.ts';
import { serveCommand } from './commands/serve.ts';
import { showCommand } from './commands/show.ts';
import { tuneCommand } from './commands/tune.ts';
import { upCommand } from './commands/up.ts';
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

const COMMANDS = [
  upCommand,
  crawlCommand,
  indexCommand,
  addCommand,
  forgetCommand,
  splitCommand,
  serveCommand,
  putCommand,
  deleteCommand,
  relatedCommand,
  clusterCommand,
  similarCommand,
  searchCommand,
  compareCommand,
  coverCommand,
  groupCommand,
  movedCommand,
  historyCommand,
  changesCommand,
  exportCommand,
  injectCommand,
  showCommand,
  evaluateCommand,
  tuneCommand,
  pairsCommand,
  checkCommand,
  configCommand,
  keyCommand,
];

/** The whole command line. */
export function buildProgram(terminal: Terminal, version: string): Command {
  const program = inTerminal(new Command('akin'), terminal)
    .description("What's related for the web: index pages, then ask which are related.")
    .version(`akin ${version}`, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help; also: akin help COMMAND')
    .helpCommand('help [command]', 'print help for a command')
    .addHelpText('after', EXAMPLES)
    .showSuggestionAfterError();
  for (const make of COMMANDS) {
    const command = make(terminal);
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
