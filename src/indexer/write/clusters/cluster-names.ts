import { createHash } from 'node:crypto';

/**
 * Public ids, made of the center's URL: they survive a rebuild as long as the center does.
 *
 * @param level of topics its number, of copies the name of the clustering.
 */
export function clusterKey(relation: string, level: number | string, centerUrl: string): string {
  return createHash('sha256').update(`${relation} ${level} ${centerUrl}`).digest('hex').slice(0, 16);
}

/** A cluster of copies is named by its center. */
export function copyClusterLabel(center: { readonly title: string; readonly url: string }): string {
  return center.title || center.url;
}
