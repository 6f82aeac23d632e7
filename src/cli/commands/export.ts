import { extname } from 'node:path';
import { Command, Option } from 'commander';
import { type InputError, optionFault } from '../../errors.ts';
import { resourcesOf } from '../../indexer/files/budget.ts';
import { FORMATS, type Format, LINES, type Lines } from '../../service/exports/row-format.ts';
import { EXPORTS } from '../../service/exports/table.ts';
import type { Parameters } from '../../service/schemas/parameter.ts';
import { givenTo, optionsOf } from '../answers/asking-command.ts';
import { pageRows } from '../exports/page-rows.ts';
import { PAIRS_DESCRIBE, PAIRS_QUERY, pairRows } from '../exports/pairs.ts';
import { runExport, type Source } from '../exports/run-export.ts';
import { type KnobName, knobOf, namesOf } from '../settings/config.ts';
import { addKnobs, configOf, givenFlags } from '../settings/options.ts';
import type { Terminal } from '../terminal/terminal.ts';

type Flags = Readonly<Record<string, unknown>>;
type What = keyof typeof KINDS;

/** Each with what one row of it is. */
const KINDS = { ...EXPORTS, pairs: { describes: PAIRS_DESCRIBE, query: PAIRS_QUERY } };
const WHATS = Object.keys(KINDS) as What[];
/** What a table would not hold. */
const AS_JSON: readonly What[] = ['records'];
/** Other endings of files of a format. */
const ENDINGS: Readonly<Record<string, Format>> = { jsonl: 'ndjson', txt: 'tsv' };
/** What the join of pairs may take. */
const NAMES: KnobName[] = ['memoryBytes', 'workerCount', 'seed'];

const HELP = `
One row is, by --what:
${WHATS.map((what) => `  ${what.padEnd(9)} ${KINDS[what].describes}`).join('\n')}

Rows come in the order of URLs, always the same for the same index. Pages that are known by links alone are left out;
--fetched include has them too. --limit is the length of each list. The number of rows is the last line on standard error.

Examples:
  akin export web.akin --what related --limit 5 > related.tsv
  akin export web.akin --what related --by copy --min-similarity 0.9 --to copies.csv.gz
  akin export web.akin --what pages --format ndjson
  akin export web.akin --what records --to web.jsonl.gz
  akin export shards/shard-*.akin --what clusters --level 1`;

/** `akin export FILE... --what KIND`: everything of one kind at once. */
export function exportCommand(terminal: Terminal): Command {
  const command = new Command('export')
    .description(
      'write all lists, pages, pairs, clusters or changes of an index as a table, or its pages as records',
    )
    .argument('<files...>', 'the index, or all its shards')
    .addOption(
      new Option('--what <KIND>', `what to export: ${WHATS.join(', ')}`).choices(WHATS).makeOptionMandatory(),
    )
    .addHelpText('after', HELP);
  addOutput(command);
  // Of a name the first is that of lists, which take most.
  const options = new Map<string, Option>();
  for (const { name, option } of WHATS.flatMap((what) => optionsOf(KINDS[what].query)))
    if (!options.has(name)) options.set(name, option);
  options.get('limit')!.description = 'length of each list (default 10, at most 100)';
  for (const option of options.values()) command.addOption(option);
  addKnobs(command, NAMES);
  return command.action(async (paths: string[], flags: Flags) => {
    const what = flags['what'] as What;
    const written = [...options].map(([name, option]) => [name, flags[option.attributeName()]] as const);
    const given = Object.fromEntries(written.filter(([, value]) => value !== undefined));
    for (const name of Object.keys(given)) requireUse(name, what);
    const [knob] = namesOf(givenFlags(command, NAMES));
    if (knob !== undefined && what !== 'pairs') throw withoutEffect(knobOf(knob).word, what, ['pairs']);
    await write(what, given, { paths, flags, command, terminal });
  });
}

/** `akin pairs FILE`: the pairs of `akin export`. */
export function pairsCommand(terminal: Terminal): Command {
  const help = `
Columns: url_a, url_b, similarity (exact). url_a comes before url_b, and lines are sorted. The last line on standard
error has the number of pairs and their recall. Pairs that do not fit in memory wait in the folder for temporary files.

Examples:
  akin pairs web.akin --at 0.5 > pairs.tsv`;
  return formOf('pairs', 'print every pair of pages at or above a similarity', help, NAMES, terminal);
}

/** `akin changes FILE`: the changes of `akin export`. */
export function changesCommand(terminal: Terminal): Command {
  const help = `
Each capture of a page is compared with the one before: "changed" says how much, "news" is empty where the page is as it
was. Minor means a resemblance of 0.9 or more, major 0.5 or more, rewritten less. A lost page stands at the first sweep
that did not have it. With --news all else is left out.

Examples:
  akin changes web.akin --sweep 2026-11 --news new lost
  akin changes web.akin | awk -F'\\t' 'NR > 1 { n[$4 "\\t" $8]++ } END { for (k in n) print k "\\t" n[k] }'`;
  return formOf('changes', 'print how pages change from sweep to sweep', help, [], terminal);
}

/** A command of its own for one kind of export. */
function formOf(
  what: What,
  description: string,
  help: string,
  knobs: readonly KnobName[],
  terminal: Terminal,
): Command {
  const command = new Command(what)
    .description(`${description}; the same as akin export --what ${what}`)
    .argument('<files...>', 'the index, or all its shards')
    .addHelpText('after', help);
  const options = optionsOf(KINDS[what].query);
  for (const { option } of options) command.addOption(option);
  addOutput(command);
  addKnobs(command, knobs);
  return command.action(async (paths: string[], flags: Flags) => {
    await write(what, givenTo(options, flags), { paths, flags, command, terminal });
  });
}

interface Call {
  readonly paths: string[];
  readonly flags: Flags;
  readonly command: Command;
  readonly terminal: Terminal;
}

function write(what: What, given: Flags, { paths, flags, command, terminal }: Call): Promise<void> {
  const order = { command: command.name(), paths, given, ...outputOf(flags, what) };
  return runExport(terminal, sourceOf(what, command, terminal), order);
}

function addOutput(command: Command): void {
  command
    .addOption(
      new Option(
        '--format <NAME>',
        'tsv, csv, ndjson or json (default by the name of --to, else tsv, of records ndjson)',
      ).choices(FORMATS),
    )
    .option('--to <FILE>', 'write a file instead of standard output; compressed where it ends in .gz');
}

function outputOf(flags: Flags, what: What): { lines: Lines; target: string | undefined } {
  const target = flags['to'] as string | undefined;
  const given = flags['format'] as Format | undefined;
  const usual = AS_JSON.includes(what) ? 'ndjson' : 'tsv';
  return { target, lines: LINES[given ?? formatOf(target) ?? usual] };
}

/**
 * What the name of a file says; nothing where it has no ending.
 *
 * Errors  InputError AKIN_ERR_OPTION for an ending of none of the formats, as `.parquet` or `.tsv.zst`.
 */
function formatOf(target = ''): Format | undefined {
  const ending = extname(target.replace(/\.gz$/, ''));
  if (ending === '') return undefined;
  const name = ending.slice(1);
  const format = ENDINGS[name] ?? FORMATS.find((one) => one === name);
  if (format !== undefined) return format;
  const endings = [...FORMATS, ...Object.keys(ENDINGS)].map((one) => `.${one}`);
  throw optionFault(
    `${target} ends in ${ending}, which is none of the formats`,
    `give a name that ends in ${endings.join(', ')}, or in one of these and .gz; or say what to write with --format`,
  );
}

function sourceOf(what: What, command: Command, terminal: Terminal): Source {
  if (what !== 'pairs') return pageRows(what);
  const config = configOf(command, NAMES, terminal);
  return pairRows({ ...resourcesOf(config), seed: config.seed });
}

/** Errors  InputError AKIN_ERR_OPTION for a flag that what is exported does not take. */
function requireUse(name: string, what: What): void {
  const takes = (one: What) => name in (KINDS[one].query as Parameters);
  if (!takes(what)) throw withoutEffect(name.replaceAll('_', '-'), what, WHATS.filter(takes));
}

function withoutEffect(flag: string, what: What, others: readonly What[]): InputError {
  return optionFault(
    `--${flag} has no effect on ${what}`,
    `leave it out; it is for --what ${others.join(', ')}`,
  );
}
