/** Groups of copies, and which page of each stays. */
import { Type } from '../../lib/json-schema.ts';
import { COPY } from '../../relations/copy.ts';
import { clusteringLevel } from '../answers/clusters/clustering.ts';
import { clusterAt } from '../answers/copies/cluster-copies.ts';
import { KEEPS, keptPage } from '../answers/copies/keep.ts';
import type { Reads } from '../reads/reads.ts';
import { CopyRowSchema } from '../schemas/answers/row-answers.ts';
import { withDefault } from '../schemas/parameter.ts';
import { CLUSTER } from '../schemas/parameters/parameters.ts';
import { exportKind } from './export-row.ts';

/** Members read together. */
const PIECE = 1000;

export const COPIES_EXPORT = exportKind({
  describes:
    'a page that has copies: whether it stays, else which one replaces it; of one group after another',
  query: {
    clustering: CLUSTER.clustering,
    keep: withDefault(
      KEEPS[0],
      Type.Enum([...KEEPS], {
        description:
          'Which page of a group stays. first: the first URL. oldest: published or captured first. longest: the most words. canonical: the most other addresses that lead to it, then the most links to it, then the shortest URL. Ties go to the first URL.',
      }),
      {
        flag: ['<WHICH>', `of copies the one that stays: ${KEEPS.join(', ')} (default ${KEEPS[0]})`] as const,
      },
    ),
  },
  row: CopyRowSchema,
  requires: (facts, { clustering }) => {
    facts.relation(COPY.name);
    clusteringLevel(facts, COPY.name, clustering);
  },
  pages: () => ({ fetched: 'only' }),
  rowsOf: async (reads, page, { clustering, keep }) => {
    const { facts } = reads;
    const level = clusteringLevel(facts, COPY.name, clustering);
    const group = clusterAt(await reads.clusters(facts.relation(COPY.name).id, page.id), level);
    // A group stands where its center is.
    if (group === undefined || group.size < 2 || group.centerId !== page.id) return [];
    const pageIds = await membersOf(reads, group.id, group.size);
    const kept = await keptPage(reads, keep, pageIds);
    const heads = await reads.heads(pageIds);
    const stays = heads[pageIds.indexOf(kept)]!.url;
    return heads.map(({ url, title }, i) => {
      const isKept = pageIds[i] === kept;
      const replaced = isKept ? null : stays;
      return { group: group.key, size: group.size, url, title, stays: isKept, replaced_by: replaced };
    });
  },
});

/** Ascending. */
async function membersOf(reads: Reads, clusterId: number, size: number): Promise<number[]> {
  const pageIds: number[] = [];
  for (let offset = 0; offset < size; offset += PIECE) {
    for (const { pageId } of await reads.members(clusterId, PIECE, offset)) pageIds.push(pageId);
  }
  return pageIds.sort((a, b) => a - b);
}
