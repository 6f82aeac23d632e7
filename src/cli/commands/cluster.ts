import { Command } from 'commander';
import { ask } from '../ask.ts';
import { shorten } from '../related-list.ts';
import { formatCount, left, renderTable, right } from '../table.ts';
import { print, printable, printJson, type Terminal } from '../terminal.ts';

interface Summary {
  readonly id: string;
  readonly size: number;
  readonly radius: number;
  readonly label: string;
}

interface Answer {
  readonly url: string;
  readonly title: string;
  readonly cluster: Summary | null;
  readonly members: readonly { readonly url: string; readonly title: string; readonly similarity: number }[];
  readonly levels: readonly Summary[];
}

const HELP = `
Examples:
  akin cluster web.akin https://example.org/page --limit 50
  akin cluster web.akin https://example.org/page --by copy`;

/** `akin cluster FILE URL`: the answer of `GET /cluster`. */
export function clusterCommand(terminal: Terminal): Command {
  return new Command('cluster')
    .description('print the cluster of a page, and the broader ones it lies in')
    .argument('<file>', 'the index')
    .argument('<url>', 'a page of the index, or an alias of one')
    .option('--by <RELATION>', 'the relation asked about (default topic)')
    .option('--limit <N>', 'members to print (default 10, at most 100)')
    .option('--json', 'print the answer of the HTTP service')
    .addHelpText('after', HELP)
    .action(async (path: string, url: string, flags: { by?: string; limit?: string; json?: true }) => {
      const query = { url, by: flags.by, limit: flags.limit };
      const answer = await ask<Answer>(path, { method: 'GET', path: '/cluster', query });
      if (flags.json === true) printJson(terminal, answer);
      else print(terminal, render(answer));
    });
}

function render({ url, title, cluster, members, levels }: Answer): string {
  const head = `${printable(title)} (${printable(url)})`;
  if (cluster === null) return `${head}\n\nin no cluster`;
  const rows = members.map((member) => [
    member.similarity.toFixed(3),
    shorten(printable(member.title)),
    printable(member.url),
  ]);
  const table = renderTable([right('Similarity'), left('Title'), left('URL')], rows);
  return [head, ...levels.map(describe)].join('\n').concat('\n\n', table);
}

function describe({ id, size, radius, label }: Summary): string {
  const pages = size === 1 ? 'this page alone' : `${formatCount(size)} pages`;
  return `cluster ${id}: ${pages}, radius ${radius.toFixed(3)}: ${printable(label)}`;
}
