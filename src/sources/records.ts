import { recordItem } from './jsonl.ts';
import type { Source, SourceOptions } from './record/record.ts';

/** What a program gives record by record. */
export type Records = Iterable<unknown> | AsyncIterable<unknown>;

/** Records of a program as a source; each is what a line of JSONL says. Faults name its place, as a program would. */
export function openRecords(
  name: string,
  records: Records,
  { maxPageBytes }: Pick<SourceOptions, 'maxPageBytes'>,
): Source {
  const progress = { bytesRead: 0, bytesTotal: null };
  async function* items() {
    let place = 0;
    for await (const record of records) {
      const item = recordItem(record, { where: `${name}[${place++}]`, url: null }, maxPageBytes);
      if (item.kind === 'capture') progress.bytesRead += item.body.length;
      yield item;
    }
  }
  return { name, progress, covered: [], items };
}
