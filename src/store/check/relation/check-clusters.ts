import type { Checked } from './checked.ts';

/** Each level is a partition of the pages. */
export function checkClusters(checked: Checked): void {
  const { reader, relation, faults } = checked;
  const levels = reader.file.tuples<[level: number, members: number, pages: number]>(
    `SELECT level, count(*), count(DISTINCT page_id) FROM cluster
     JOIN member ON cluster_id = cluster.id WHERE relation_id = ? GROUP BY level`,
    relation.id,
  );
  let levelCount = 0;
  for (const [level, members, pages] of levels) {
    levelCount++;
    if (members !== reader.ownPageCount || pages !== reader.ownPageCount) {
      faults.push(
        `level ${level} has ${members} members that are ${pages} pages, but the index has ${reader.ownPageCount} pages`,
      );
    }
  }
  if (reader.ownPageCount > 0 && levelCount === 0) faults.push('there is no level of clusters');
  checkMembers(checked);
}

/** Sizes, radii and centers are those of the members; a shard has some of the members, and may have none. */
export function checkMembers({ reader, relation, faults }: Checked): void {
  const { shard, ownPageCount } = reader;
  const misfit = shard === null ? 'n IS NULL OR n <> size OR least <> radius' : 'n > size OR least < radius';
  const all = (sql: string) => reader.file.values<string>(sql, relation.id);
  const wrong = all(
    `SELECT key FROM cluster LEFT JOIN (SELECT cluster_id, count(*) AS n, min(similarity) AS least FROM member
     GROUP BY cluster_id) ON cluster_id = cluster.id
     WHERE relation_id = ? AND (${misfit})`,
  );
  for (const key of wrong) faults.push(`the size or radius of cluster ${key} does not fit its members`);
  const headless = all(
    `SELECT key FROM cluster WHERE relation_id = ? AND center_id < ${ownPageCount} AND NOT EXISTS (SELECT 1 FROM member
     WHERE cluster_id = cluster.id AND page_id = center_id AND similarity = 1)`,
  );
  for (const key of headless) faults.push(`cluster ${key} does not hold its own center`);
}
