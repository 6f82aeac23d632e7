/** A page by chance: a member of a topic by chance, since the service has no list of pages. */
import type { ClusterByIdAnswer, ClusterListAnswer } from '../../service/schemas/cluster-answers.ts';
import type { Context } from '../context.ts';
import type { Redirect } from '../reply.ts';

const DRAWN = 100;

export async function randomPage({ ask, href }: Context): Promise<Redirect> {
  const sort = Math.random() < 0.5 ? 'size' : 'label';
  const { clusters } = await ask.get<ClusterListAnswer>('/clusters', { sort, limit: DRAWN });
  const cluster = oneOf(clusters);
  if (cluster === undefined) return { location: href('/') };
  const { members } = await ask.get<ClusterByIdAnswer>(`/clusters/${encodeURIComponent(cluster.id)}`, {
    limit: DRAWN,
  });
  const page = oneOf(members) ?? cluster.center;
  return { location: href('/explore/page', { url: page.url }) };
}

function oneOf<T>(list: readonly T[]): T | undefined {
  return list[Math.floor(Math.random() * list.length)];
}
