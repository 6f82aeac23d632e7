import { Command } from 'commander';
import type { ClusterAnswer, ClusterSummaryAnswer } from '../../service/schemas/cluster-answers.ts';
import { ask, CLUSTERED_BY_HELP } from '../answers/ask.ts';
import { shorten } from '../answers/phrases.ts';
import { formatCount, left, renderTable, right } from '../terminal/table.ts';
import { print, printable, printJson, type Terminal } from '../terminal/terminal.ts';

interface Flags {
  readonly by?: string;
  readonly clustering?: string;
  readonly limit?: string;
  readonly json?: true;
}

const HELP = `
Examples:
  akin cluster web.akin https://example.org/page --limit 50
  akin cluster web.akin https://example.org/page --by copy
  akin cluster web.akin https://example.org/page --by copy --clustering 0.8c`;

/** `akin cluster FILE URL`: the answer of `GET /cluster`. */
export function clusterCommand(terminal: Terminal): Command {
  return new Command('cluster')
    .description('print the cluster of a page, and the broader clusters around it')
    .argument('<file>', 'the index')
    .argument('<url>', 'a page of the index, or an alias of one')
    .option('--by <RELATION>', CLUSTERED_BY_HELP)
    .option(
      '--clustering <NAME>',
      'for --by copy: one of the clusterings that akin show lists (default the first)',
    )
    .option('--limit <N>', 'members to print (default 10, at most 100)')
    .option('--json', 'print the answer of the HTTP service')
    .addHelpText('after', HELP)
    .action(async (path: string, url: string, flags: Flags) => {
      const query = { url, by: flags.by, clustering: flags.clustering, limit: flags.limit };
      const answer = await ask<ClusterAnswer>(path, { method: 'GET', path: '/cluster', query });
      if (flags.json === true) printJson(terminal, answer);
      else print(terminal, render(answer));
    });
}

function render({ url, title, cluster, members, levels }: ClusterAnswer): string {
  const head = `${printable(title)} (${printable(url)})`;
  if (cluster === null) return [head, ...levels.map(describe), '', 'in no cluster'].join('\n');
  const rows = members.map((member) => [
    member.similarity.toFixed(3),
    shorten(printable(member.title)),
    printable(member.url),
  ]);
  const table = renderTable([right('Similarity'), left('Title'), left('URL')], rows);
  return [head, ...levels.map(describe)].join('\n').concat('\n\n', table);
}

function describe({ id, clustering, size, radius, label }: ClusterSummaryAnswer): string {
  const pages = size === 1 ? 'this page alone' : `${formatCount(size)} pages`;
  const which = clustering === null ? '' : ` at ${clustering}`;
  const words = label === '' ? '' : `: ${printable(label)}`;
  return `cluster ${id}${which}: ${pages}, radius ${radius.toFixed(3)}${words}`;
}
