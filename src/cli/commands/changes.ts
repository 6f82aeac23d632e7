import { Command } from 'commander';
import { InputError } from '../../errors.ts';
import { COPY } from '../../relations/copy.ts';
import type { ChangeSummary, ChangesAnswer } from '../../service/answers/time/changes.ts';
import { formatCount, left, renderTable, right } from '../terminal/table.ts';
import { print, printable, printJson, type Terminal } from '../terminal/terminal.ts';

const HELP = `
Each capture of a page is compared with the one before. Unchanged means the same words in the same order; minor
means a resemblance of 0.9 or more, major 0.5 or more, rewritten less.

Examples:
  akin changes web.akin
  akin changes web.akin --json`;

const MAX_SITES = 20;
const BAR_WIDTH = 40;

/** `akin changes FILE`: how the pages of an index changed from sweep to sweep. */
export function changesCommand(terminal: Terminal): Command {
  return new Command('changes')
    .description('print how pages change from sweep to sweep, in total and by site')
    .argument('<file>', 'the index')
    .option('--json', 'print JSON, with every site')
    .addHelpText('after', HELP)
    .action(async (path: string, flags: { json?: true }) => {
      const { IndexReader } = await import('../../store/read/reader.ts');
      const { changesAnswer } = await import('../../service/answers/time/changes.ts');
      const reader = IndexReader.open(path);
      try {
        if (reader.relation(COPY.name) === undefined) {
          throw new InputError('AKIN_ERR_OPTION', `${path} was built without copies`, {
            hint: 'build it again without --no-copies',
          });
        }
        const answer = changesAnswer(reader);
        if (flags.json === true) printJson(terminal, answer);
        else print(terminal, render(answer));
      } finally {
        reader.close();
      }
    });
}

function render({ sweeps, total, sites }: ChangesAnswer): string {
  const names = sweeps.length > 2 ? `${sweeps[0]} ... ${sweeps.at(-1)}` : sweeps.join(', ');
  const sweepText = sweeps.length === 1 ? `one sweep: ${names}` : `${sweeps.length} sweeps: ${names}`;
  const head = `${printable(sweepText)}\n${formatCount(total.page_count)} pages, ${formatCount(total.comparison_count)} comparisons`;
  const table = siteTable(total, sites);
  return total.comparison_count === 0 ? `${head}\n\n${table}` : `${head}\n\n${histogram(total)}\n\n${table}`;
}

function histogram({ resemblance_histogram: bins, comparison_count: count }: ChangeSummary): string {
  const rows = bins.map(({ from, to, count: inBin }) => [
    from === to ? '1' : `${from.toFixed(1)} to ${to.toFixed(1)}`,
    formatCount(inBin),
    percent(inBin / count),
    '#'.repeat(Math.round((inBin / count) * BAR_WIDTH)),
  ]);
  return renderTable([left('Resemblance'), right('Comparisons'), right('Share'), left('')], rows);
}

function siteTable(total: ChangeSummary, sites: ChangesAnswer['sites']): string {
  const columns = [left('Site'), ...TITLES.map(right)];
  const shown = sites.slice(0, MAX_SITES).map((site) => [printable(site.site), ...cells(site)]);
  const table = renderTable(columns, [['all', ...cells(total)], ...shown]);
  const more = sites.length - MAX_SITES;
  return more > 0 ? `${table}\nand ${formatCount(more)} more sites` : table;
}

const TITLES = ['Pages', 'New', 'Gone', 'Not seen', 'Compared', 'Unchanged', 'Minor', 'Major', 'Rewritten'];

function cells(summary: ChangeSummary): string[] {
  const { changes, unchanged_share: unchanged } = summary;
  const counts = [
    summary.page_count,
    summary.added_count,
    summary.gone_count,
    summary.not_seen_since_count,
    summary.comparison_count,
  ];
  return [
    ...counts.map(formatCount),
    unchanged === null ? '' : percent(unchanged),
    ...[changes.minor, changes.major, changes.rewritten].map(formatCount),
  ];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
