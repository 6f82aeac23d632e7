import { IndexReader } from '../src/store/reader.ts';

/** Pairs and clusters of copies by URL, for comparing two indexes. */
export function copiesByUrl(target: string): { pairs: string[]; clusters: string[] } {
  const reader = IndexReader.open(target);
  try {
    const { id: relationId } = reader.relation('copy')!;
    const urls = Array.from(reader.pages(), ({ url }) => url);
    const pairs: string[] = [];
    for (const { pageId, list } of reader.allNeighbours(relationId)) {
      for (const [i, id] of list.ids.entries()) {
        pairs.push(`${urls[pageId]} ${urls[id]} ${list.shared[i]}/${list.total[i]}`);
      }
    }
    const { copyClusterings } = reader.card();
    const clusters = copyClusterings.flatMap(({ name }, level) => {
      const members = new Map<number, string[]>();
      for (const [page, cluster] of reader.clusters.idsOfPages(relationId, level, urls.length).entries()) {
        if (cluster < 0) continue;
        const known = members.get(cluster);
        if (known === undefined) members.set(cluster, [urls[page]!]);
        else known.push(urls[page]!);
      }
      return Array.from(members.values(), (all) => `${name} ${all.sort().join(' ')}`);
    });
    return { pairs: pairs.sort(), clusters: clusters.sort() };
  } finally {
    reader.close();
  }
}
