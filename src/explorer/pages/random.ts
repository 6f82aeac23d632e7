import type { Context } from '../context.ts';
import type { Redirect } from '../reply.ts';

const DRAWN = 100;

export async function randomPage({ ask, href }: Context): Promise<Redirect> {
  const sort = Math.random() < 0.5 ? 'size' : 'label';
  const { clusters } = await ask.answer('clusters', { sort, limit: DRAWN });
  const cluster = oneOf(clusters);
  if (cluster === undefined) return { location: href('/') };
  const { members } = await ask.answer('clusterById', { id: cluster.id, limit: DRAWN });
  const page = oneOf(members) ?? cluster.center;
  return { location: href('/explore/page', { url: page.url }) };
}

function oneOf<T>(list: readonly T[]): T | undefined {
  return list[Math.floor(Math.random() * list.length)];
}
