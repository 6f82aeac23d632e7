import type { Checked } from './checked.ts';

const VALUE_BYTES = 3;

/**
 * Every page has a signature of one length, and where the filter compared whole signatures the agreement of
 * every stored pair is counted again.
 */
export function checkSignatures({ reader, relation, faults }: Checked): void {
  const { signature, filter_bytes, filter_values } = reader.card().parameters as {
    signature?: { m: number };
    filter_bytes?: number;
    filter_values?: number;
  };
  const m = signature?.m ?? 0;
  const minima = reader.file.values<Uint8Array>(
    'SELECT minima FROM signature WHERE relation_id = ? ORDER BY page_id',
    relation.id,
  );
  if (minima.length !== reader.pageCount)
    faults.push(`${minima.length} of ${reader.pageCount} pages have a signature`);
  for (const [page, values] of minima.entries()) {
    if (values.length !== VALUE_BYTES * m)
      faults.push(`the signature of page ${page} has ${values.length} bytes`);
  }
  if (filter_bytes !== VALUE_BYTES || filter_values !== m || faults.length > 0) return;
  for (const { pageId, list } of reader.allNeighbors(relation.id)) {
    for (const [i, other] of list.ids.entries()) {
      const agreement = agreeing(minima[pageId]!, minima[other]!);
      if (agreement !== list.shared[i] || list.total[i] !== m) {
        faults.push(
          `pages ${pageId} and ${other} are stored at ${list.shared[i]}/${list.total[i]}, not ${agreement}/${m}`,
        );
      }
    }
  }
}

function agreeing(a: Uint8Array, b: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < a.length; at += VALUE_BYTES) {
    if (a[at] === b[at] && a[at + 1] === b[at + 1] && a[at + 2] === b[at + 2]) count++;
  }
  return count;
}
