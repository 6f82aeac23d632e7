import { IndexReader } from '../../src/store/reader.ts';
import type { Answers } from './judge.ts';

/** What an index answers, in memory. */
export interface IndexAnswers {
  readonly answers: Answers;
  /** Page to the center of its tight cluster, itself where it is alone. */
  readonly centers: ReadonlyMap<string, string>;
}

export function readIndex(path: string): IndexAnswers {
  const reader = IndexReader.open(path);
  try {
    const relation = reader.relation('topic')!;
    const urls = Array.from(reader.pages(), (page) => page.url);
    const answers = new Map<string, string[]>();
    for (const { pageId, list } of reader.allNeighbours(relation.id)) {
      answers.set(
        urls[pageId]!,
        Array.from(list.ids, (id) => urls[id]!),
      );
    }
    const centers = new Map<string, string>();
    for (const [id, url] of urls.entries()) {
      const cluster = reader.clusters.ofPage(relation.id, id)[0];
      centers.set(url, urls[cluster?.centerId ?? id]!);
    }
    return { answers, centers };
  } finally {
    reader.close();
  }
}
