/**
 * The rows of a shard that name pages, each by the column that a job on Spark has the page in. Of the pages that they name those
 * of other shards are written to the shard, too, without their words.
 */
export const NAMING_ROWS = { list: 'neighbor_id', cluster: 'center_id', alias: 'end_id' } as const;

export type NamingRow = keyof typeof NAMING_ROWS;
