import type { ClusterAnswer, ClusterSummaryAnswer } from '../../service/schemas/answers/cluster-answers.ts';
import { formatCount, left, renderTable, right } from '../terminal/table.ts';
import { printable } from '../terminal/terminal.ts';
import { headText, shorten } from './phrases.ts';

/** Its clusters, fine to broad, and the members of the finest. */
export function renderCluster({ url, title, cluster, members, levels }: ClusterAnswer): string {
  const head = headText({ title, url });
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
