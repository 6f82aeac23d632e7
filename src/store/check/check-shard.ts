import { shardOf } from '../../url/shard.ts';
import type { IndexReader } from '../read/reader.ts';

/** Of a shard: targets are pages of the whole, and no page has more of them here than links of the whole point to it. */
export function checkShardLinks(reader: IndexReader, faults: string[]): void {
  const { shardIds, ownPageCount } = reader;
  const inLinks = new Uint32Array(reader.pageCount);
  for (const { pageId, targets } of reader.allLinks()) {
    const own = shardIds.wholeIds[pageId]!;
    for (let i = 0; i < targets.length; i++) {
      if (targets[i] === own || (i > 0 && targets[i]! <= targets[i - 1]!)) {
        faults.push(`page ${pageId} has a broken link list at ${targets[i]}`);
      }
      const local = shardIds.findOwn(targets[i]!);
      if (local >= 0) inLinks[local]!++;
    }
  }
  for (const page of reader.pages()) {
    if (page.id < ownPageCount && inLinks[page.id]! > page.inLinkCount) {
      faults.push(
        `page ${page.id} counts ${page.inLinkCount} in-links, but ${inLinks[page.id]} links of this shard point to it`,
      );
    }
  }
}

/** Whole ids follow the order of URLs, and every page lies where its URL says. */
export function checkShard(reader: IndexReader, faults: string[]): void {
  const { number, count, pageCount } = reader.shard!;
  const { wholeIds } = reader.shardIds;
  const order = Array.from(reader.pages(), ({ id, url }) => ({ id, url })).sort((a, b) =>
    a.url < b.url ? -1 : 1,
  );
  let previous = -1;
  for (const { id, url } of order) {
    const wholeId = wholeIds[id]!;
    if (wholeId <= previous || wholeId >= pageCount) faults.push(`page ${id} has the whole id ${wholeId}`);
    previous = wholeId;
    if ((shardOf(url, count) === number) !== id < reader.ownPageCount) {
      faults.push(`${url} is of shard ${shardOf(url, count)}, and stands here as if it were not`);
    }
  }
}
