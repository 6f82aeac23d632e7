import { type Command, Help, Option } from 'commander';
import { type InputError, optionFault } from '../../errors.ts';
import { describeDefault, type Knob } from '../../indexer/options/knob.ts';
import { type Config, type KnobName, knobOf, loadConfig, type Values } from './config.ts';

function optionOf(knob: Knob<unknown>): Option {
  const allowed = knob.allowed === 'any text' ? '' : `${knob.allowed}${knob.unit && ` ${knob.unit}`}; `;
  const note = `${allowed}default ${describeDefault(knob)}; ${knob.env}`;
  const value = knob.placeholder && ` <${knob.placeholder}>`;
  const how = value === '' && knob.flag !== null ? knob.env : note;
  const flag =
    knob.flag === null ? `--set ${knob.word}=<${knob.placeholder || 'yes|no'}>` : `${knob.flag}${value}`;
  return new Option(flag, `${knob.doc} [${how}]`);
}

const grouped = (knob: Knob<unknown>) => optionOf(knob).helpGroup(knob.group ?? 'Options:');

/**
 * Adds the flags of settings to a command; `configOf` reads their values, not commander. Where some of them are rare,
 * `--set` gives any by its name, and `--help-all` lists them.
 */
export function addKnobs(command: Command, names: readonly KnobName[]): Command {
  const knobs = names.map(knobOf);
  const rare = knobs.filter(({ flag }) => flag === null);
  for (const knob of knobs) {
    if (knob.flag !== null) command.addOption(rare.length > 0 ? grouped(knob) : optionOf(knob));
  }
  if (rare.length === 0) return command;
  return command
    .option(
      '--set <NAME=VALUE>',
      'any setting by its name; --help-all lists those without a flag',
      (one: string, others: Written = {}) => settingOf(names, one, others),
    )
    .option('--help-all', 'display help for all settings')
    .on('option:help-all', () => {
      const help = new Help();
      const visibleOptions = () => [...help.visibleOptions(command), ...rare.map(grouped)];
      command.createHelp = () => Object.assign(new Help(), { visibleOptions });
      command.help();
    });
}

type Written = Partial<Record<KnobName, string>>;

/** Takes one more NAME=VALUE. Errors  InputError AKIN_ERR_OPTION for a name that is none of these, or given twice. */
function settingOf(names: readonly KnobName[], one: string, others: Written): Written {
  const [, word, value] = /^([^=]+)=(.*)$/s.exec(one) ?? [];
  const name = names.find((known) => knobOf(known).word === word);
  if (name === undefined) {
    throw optionFault(
      `--set ${one} names no setting`,
      `give NAME=VALUE with one of ${names.map((known) => knobOf(known).word).join(', ')}`,
    );
  }
  if (others[name] !== undefined) throw givenTwice(word!);
  return { ...others, [name]: value };
}

/** The flags given to a command, by setting. Errors  InputError AKIN_ERR_OPTION for one that --set gives as well. */
export function givenFlags(command: Command, names: readonly KnobName[]): Written {
  const values = command.opts<Record<string, string | boolean | undefined>>();
  const { set = {} } = command.opts<{ readonly set?: Written }>();
  const flags: Written = {};
  for (const name of names) {
    const knob = knobOf(name);
    const attribute = knob.flag === null ? '' : optionOf(knob).attributeName();
    const value = command.getOptionValueSource(attribute) === 'cli' ? values[attribute] : undefined;
    if (value !== undefined && set[name] !== undefined) throw givenTwice(knob.word);
    const written = typeof value === 'boolean' ? (value ? 'yes' : 'no') : (value ?? set[name]);
    if (written !== undefined) flags[name] = written;
  }
  return flags;
}

function givenTwice(word: string): InputError {
  return optionFault(`the setting ${word} is given twice`, 'give it once');
}

/** The whole configuration for this call of a command; `stored` is that of the index which it changes. */
export function configOf(
  command: Command,
  names: readonly KnobName[],
  { env }: { readonly env: Readonly<Record<string, string | undefined>> },
  stored: Values = {},
): Config {
  return loadConfig(givenFlags(command, names), env, stored).config;
}
