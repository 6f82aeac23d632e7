/** Pages as a build reads them: an index that is made of these says the same, but for what a text alone does not have. */
import { unpackFeatures } from '../../features/own-features.ts';
import { storedCopyParameters } from '../../relations/copy.ts';
import { cardFields } from '../answers/pages/card-fields.ts';
import { fetchedAt } from '../answers/pages/last-seen.ts';
import { Problem } from '../http/problems/problem.ts';
import type { IndexFacts } from '../reads/facts.ts';
import { type Reads, urlsOf } from '../reads/reads.ts';
import { RecordRowSchema } from '../schemas/answers/row-answers.ts';
import { exportKind, PAGE_FILTERS } from './export-row.ts';

const { fetched: _always, ...FILTERS } = PAGE_FILTERS;

export const RECORDS_EXPORT = exportKind({
  describes: 'a page as akin index reads it, with its text, its links, and what its owner says of it',
  query: FILTERS,
  row: RecordRowSchema,
  requires: requireTexts,
  pages: (query) => ({ ...query, fetched: 'only' }),
  rowsOf: async (reads, { id, url, title, lang }) => {
    if (await reads.isGone(id)) return [];
    const [captures, versionId, links, [card], features, vectors] = await Promise.all([
      reads.captures(id),
      reads.currentVersion(id),
      reads.saidLinks(id) ?? reads.links(id).then((ids) => urlsOf(reads, ids)),
      cardFields(reads, [id]),
      reads.ownFeatures(id),
      vectorsOf(reads, id),
    ]);
    const read = versionId < 0 ? null : await reads.versionText(versionId);
    const last = captures.at(-1);
    const said = { lang, fetched_at: last === undefined ? null : fetchedAt(last) };
    const row = {
      url,
      title: read?.title ?? title,
      ...said,
      text: read?.text ?? '',
      ...(links.length > 0 && { links }),
      ...card,
      ...(features !== '' && { features: unpackFeatures(features) }),
      ...(vectors !== null && { vectors }),
    };
    return [row];
  },
});

/** Errors  Problem `relation-not-in-index`. */
function requireTexts({ card }: IndexFacts): void {
  if (storedCopyParameters(card.parameters)?.text === true) return;
  throw new Problem('relation-not-in-index', 'this index was built without the texts of its pages');
}

/** By their names; null for none. */
async function vectorsOf(reads: Reads, pageId: number): Promise<Record<string, number[]> | null> {
  const all = reads.facts.vectorNames.map(async (name) => {
    const vector = await reads.vector(reads.facts.vectorRelation(name)!.id, pageId);
    return vector.length === 0 ? [] : [[name, [...vector]] as [string, number[]]];
  });
  const found = (await Promise.all(all)).flat();
  return found.length === 0 ? null : Object.fromEntries(found);
}
