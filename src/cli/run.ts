import { readFileSync } from 'node:fs';
import { CommanderError } from 'commander';
import { AkinError } from '../errors.ts';
import { buildProgram, isCommand } from './program.ts';
import { KNOB_NAMES, knobOf } from './settings/config.ts';
import { EXIT, exitCodeOf } from './terminal/process-end.ts';
import { type Terminal, tell } from './terminal/terminal.ts';

/** `package.json` is two folders up, from `src/` and from `dist/`. */
function version(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** Runs one command line; prints what went wrong and returns the exit code. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  const program = await buildProgram(terminal, version(), argv);
  if (argv.length === 0) {
    terminal.stderr.write(program.helpInformation());
    return EXIT.usage;
  }
  return perform(
    async () => {
      await program.parseAsync(isHelpForNone(argv) ? argv.slice(1) : argv, { from: 'user' });
    },
    terminal,
    isCommand(argv[0]) ? argv[0] : undefined,
  );
}

/** `akin help WORD` with an unknown command: refused like the unknown command itself, instead of ignored. */
function isHelpForNone([first, name]: readonly string[]): boolean {
  return first === 'help' && name !== undefined && !isCommand(name);
}

/** Runs an action, of a command if it is one's; prints what went wrong and returns the exit code. */
export async function perform(
  action: () => Promise<void>,
  terminal: Terminal,
  command?: string,
): Promise<number> {
  try {
    await action();
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return usageFault(error, command, terminal);
    explain(error, terminal);
    return exitCodeOf(error);
  }
}

function usageFault(error: CommanderError, command: string | undefined, terminal: Terminal): number {
  if (error.exitCode === 0) return EXIT.ok;
  if (error.code !== 'commander.help') {
    tell(terminal, `akin: ${error.message.replace(/^error: /, '')}`);
    tell(
      terminal,
      `hint: ${settingHint(error) ?? (command === undefined ? 'akin help' : `akin help ${command}`)}`,
    );
  }
  return EXIT.usage;
}

/** For a flag that is none, and the name of a setting that has none. */
function settingHint({ code, message }: CommanderError): string | undefined {
  const flag = code === 'commander.unknownOption' ? message.split(/['=]/)[1] : undefined;
  const knob = KNOB_NAMES.map(knobOf).find(({ word }) => flag === `--${word}` || flag === `--no-${word}`);
  return knob?.flag === null
    ? `akin index takes --set ${knob.word}=VALUE; akin index --help-all lists such settings`
    : undefined;
}

function explain(error: unknown, terminal: Terminal): void {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  for (const line of message.split('\n')) tell(terminal, `akin: ${line}`);
  const unexpected = exitCodeOf(error) === EXIT.unexpected;
  const hint = error instanceof AkinError ? error.hint : undefined;
  if (hint !== undefined) tell(terminal, `hint: ${hint}`);
  else if (unexpected) tell(terminal, 'hint: this is a bug in akin; AKIN_DEBUG=1 shows where');
  if (terminal.env['AKIN_DEBUG'] === '1') tell(terminal, withCauses(error, stack));
}

function withCauses(error: unknown, stack: string | undefined): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const first = stack ?? String(error);
  return cause === undefined
    ? first
    : `${first}\ncaused by ${withCauses(cause, cause instanceof Error ? cause.stack : undefined)}`;
}
