import { IndexReader } from '../../src/store/read/reader.ts';
import type { Answers } from './judge.ts';

/** What an index answers, in memory. */
interface IndexAnswers {
  readonly answers: Answers;
  /** Page to the key of its cluster, for each level, fine to broad. */
  readonly levels: readonly ReadonlyMap<string, string>[];
}

export function readIndex(path: string): IndexAnswers {
  using reader = IndexReader.open(path);
  const relation = reader.relation('topic')!;
  const urls = Array.from(reader.pages(), (page) => page.url);
  const answers = new Map<string, string[]>();
  for (const { pageId, list } of reader.allNeighbors(relation.id)) {
    answers.set(
      urls[pageId]!,
      Array.from(list.ids, (id) => urls[id]!),
    );
  }
  const levels: Map<string, string>[] = [];
  for (const [id, url] of urls.entries()) {
    for (const { level, key } of reader.clusters.ofPage(relation.id, id)) {
      levels[level] ??= new Map();
      levels[level].set(url, key);
    }
  }
  return { answers, levels };
}
