import { type Command, Option } from 'commander';
import { type Config, KNOBS, type KnobName, loadConfig } from './config.ts';
import { describeDefault, type Knob } from './knob.ts';

function optionOf(knob: Knob<unknown>): Option {
  const allowed = knob.allowed === 'any text' ? '' : `${knob.allowed}${knob.unit && ` ${knob.unit}`}; `;
  const note = `${allowed}default ${describeDefault(knob)}; ${knob.env}`;
  const value = knob.placeholder && ` <${knob.placeholder}>`;
  const how = value === '' ? knob.env : note;
  return new Option(`${knob.flag}${value}`, `${knob.doc} [${how}]`);
}

/** Adds the flags of settings to a command; `settle` reads their values, not commander. */
export function addKnobs(command: Command, names: readonly KnobName[]): Command {
  for (const name of names) command.addOption(optionOf(KNOBS[name]));
  return command;
}

/** Adds flags that a command refuses, so that it can say why: see `givenFlags`. */
export function addRefusedKnobs(command: Command, names: readonly KnobName[]): Command {
  for (const name of names) command.addOption(optionOf(KNOBS[name]).hideHelp());
  return command;
}

/** The flags given to a command, by setting. */
export function givenFlags(command: Command, names: readonly KnobName[]): Partial<Record<KnobName, string>> {
  const values = command.opts<Record<string, string | boolean | undefined>>();
  const flags: Partial<Record<KnobName, string>> = {};
  for (const name of names) {
    const attribute = optionOf(KNOBS[name]).attributeName();
    if (command.getOptionValueSource(attribute) !== 'cli') continue;
    const value = values[attribute];
    flags[name] = typeof value === 'string' ? value : value === true ? 'yes' : 'no';
  }
  return flags;
}

/** The whole configuration for this call of a command. */
export function settle(
  command: Command,
  names: readonly KnobName[],
  { env }: { readonly env: Readonly<Record<string, string | undefined>> },
): Config {
  return loadConfig(givenFlags(command, names), env).config;
}
