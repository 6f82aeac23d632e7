import { type Command, Option } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';
import { type Config, KNOBS, type KnobName, loadConfig } from './config.ts';
import { describeDefault, type Knob } from './knob.ts';

function optionOf(knob: Knob<unknown>): Option {
  const allowed = knob.allowed === 'any text' ? '' : `${knob.allowed}${knob.unit && ` ${knob.unit}`}; `;
  const note = `${allowed}default ${describeDefault(knob)}; ${knob.env}`;
  const value = knob.placeholder && ` <${knob.placeholder}>`;
  const how = value === '' ? knob.env : note;
  return new Option(`${knob.flag}${value}`, `${knob.doc} [${how}]`);
}

/** Gives a command the flags of the knobs; their texts are read by `settle`, not by commander. */
export function addKnobs(command: Command, names: readonly KnobName[]): Command {
  for (const name of names) command.addOption(optionOf(KNOBS[name]));
  return command;
}

/** The flags given to a command, by knob. */
export function givenFlags(command: Command, names: readonly KnobName[]): Partial<Record<KnobName, string>> {
  const values = command.opts<Record<string, string | boolean | undefined>>();
  const flags: Partial<Record<KnobName, string>> = {};
  for (const name of names) {
    const value = values[optionOf(KNOBS[name]).attributeName()];
    if (typeof value === 'string') flags[name] = value;
    else if (value === false) flags[name] = 'no';
  }
  return flags;
}

/** The whole configuration as this call of a command has it; `stored` is that of the index which it changes. */
export function settle(
  command: Command,
  names: readonly KnobName[],
  terminal: Terminal,
  stored: Partial<Config> = {},
): Config {
  return loadConfig(givenFlags(command, names), terminal.env, stored).config;
}
