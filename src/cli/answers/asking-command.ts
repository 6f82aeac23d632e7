/** Commands that ask a route of the service and print what it says. */
import { Command, Option } from 'commander';
import { optionFault } from '../../errors.ts';
import { DEFAULT_RELATION, findRelation } from '../../relations/relations.ts';
import type { PostedBody } from '../../service/http/body.ts';
import type { AnswerOf, Given, RouteName, RowOf, Values } from '../../service/routes/request.ts';
import type { Parameters } from '../../service/schemas/parameter.ts';
import { print, printJson, type Terminal } from '../terminal/terminal.ts';
import { tellOfWaiting } from '../terminal/waiting-pages.ts';
import { ask } from './ask.ts';

type Flags = Readonly<Record<string, string | string[] | true | undefined>>;

/** A command as one row. */
interface Asking<Name extends RouteName> {
  readonly name: string;
  readonly describes: string;
  readonly route: Name;
  /** Those of the route: what has a flag is one here. */
  readonly parameters: RowOf<Name>['query'];
  /** What stands behind the index, and what help says of it. */
  readonly word: readonly [placeholder: string, help: string];
  /** Flags that are no parameters of the route. */
  readonly flags?: readonly (readonly [flags: string, help: string])[];
  readonly help: string;
  /** What the word asks; of several words one text, '' of none. */
  readonly asks: (word: string, flags: Flags, terminal: Terminal) => Promise<Asked<Name>> | Asked<Name>;
  readonly print: (answer: AnswerOf<Name>) => string;
  /** Done where there is no word, in place of asking. */
  readonly without?: (path: string, flags: Flags, terminal: Terminal) => Promise<void>;
}

interface Asked<Name extends RouteName> {
  readonly values?: Given<Name>;
  readonly body?: PostedBody;
}

/** Makes what builds the command: the answer of a route, as a table or as JSON. */
export function askingCommand<Name extends RouteName>(row: Asking<Name>): (terminal: Terminal) => Command {
  return (terminal) => {
    const options = optionsOf(row.parameters);
    const command = new Command(row.name)
      .description(row.describes)
      .argument('<file>', 'the index, or the folder of its shards')
      .argument(...row.word)
      .addHelpText('after', row.help);
    for (const { option } of options) command.addOption(option);
    for (const [flags, help] of row.flags ?? []) command.option(flags, help);
    return command
      .option('--json', 'print the answer of the HTTP service')
      .action(async (path: string, word: string | string[] | undefined, flags: Flags) => {
        if (word === undefined && row.without !== undefined) return row.without(path, flags, terminal);
        requireUse(flags);
        const { values, body } = await row.asks([word ?? ''].flat().join(' '), flags, terminal);
        const given = { ...givenTo(options, flags), ...values } as Given<Name>;
        const answer = await ask(row.name, path, row.route, given, body);
        const { filesOf } = await import('../../indexer/options/stored-options.ts');
        await tellOfWaiting(terminal, filesOf(path));
        if (flags['json'] === true) printJson(terminal, answer);
        else print(terminal, row.print(answer));
      });
  };
}

/** The flags of parameters that have one. */
export function optionsOf(parameters: Parameters): { name: string; option: Option }[] {
  return Object.entries(parameters).flatMap(([name, { flag }]) => {
    if (flag === undefined) return [];
    const [placeholder, help] = flag;
    return [{ name, option: new Option(`--${name.replaceAll('_', '-')} ${placeholder}`.trim(), help) }];
  });
}

/** Their values by the names of the parameters; undefined where a flag is not given. */
export function givenTo(
  options: ReturnType<typeof optionsOf>,
  flags: Readonly<Record<string, unknown>>,
): Values {
  return Object.fromEntries(
    options.map(({ name, option }) => [name, flags[option.attributeName()] as Values[string]]),
  );
}

/** Flags without effect where pages are near by the shingles that they share. */
const BAG_FLAGS = ['explain', 'exact'];

/** Errors  InputError AKIN_ERR_OPTION for a flag without effect. */
function requireUse(flags: Flags): void {
  const relation = findRelation(String(flags['by'] ?? DEFAULT_RELATION.name));
  const idle = BAG_FLAGS.find((name) => flags[name] === true);
  const isOfVectors = relation?.features === 'vectors' && idle === 'explain';
  if ((relation?.neighbors !== 'shared shingles' && !isOfVectors) || idle === undefined) return;
  throw optionFault(
    `--${idle} is for topics; with --by ${relation.name} it has no effect`,
    `leave it out; ${isOfVectors ? 'vectors share no words' : 'akin compare A B --index FILE shows what two pages share'}`,
  );
}
