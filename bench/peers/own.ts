/**
 * Our own figures by the same measures. An argument names the folder of index.akin, a second one says what is to be
 * measured: `bags` from sets to neighbors, or `texts` through the index.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exactNeighbors } from '../../src/join/exact/exact-neighbors.ts';
import { createNearestScratch, nearestToBag } from '../../src/join/exact/nearest-to-bag.ts';
import { buildPostings } from '../../src/join/exact/postings.ts';
import { allOf, bySimilarity } from '../../src/join/pairs/neighbor-span.ts';
import { createNeighborTable, type NeighborSpan } from '../../src/join/pairs/neighbor-table.ts';
import { bagOfDocument, extractDocument } from '../../src/service/answers/documents/document.ts';
import { documentCandidates } from '../../src/service/answers/lists/candidates.ts';
import { FileReads } from '../../src/service/reads/file/file-reads.ts';
import { OpenFile } from '../../src/service/reads/file/open-file.ts';
import { nearestNeighborGraph } from '../../test/join/in-memory.ts';
import { buildOne } from '../build-one.ts';
import { bagOf, matrixIn, postingSource } from './corpus.ts';
import type { PeerSetting } from './drivers.ts';
import { ask, building } from './timing.ts';

const K = 32;
const FLOOR = 0.03;

async function ofBags(folder: string, queries: readonly number[]): Promise<PeerSetting[]> {
  const matrix = matrixIn(join(folder, 'index.akin'));
  const posting = await building(() => buildPostings(matrix));
  let table = createNeighborTable(0, K);
  const exact = await building(() => {
    table = exactNeighbors(matrix, { k: K, floor: FLOOR });
  });
  let graph = await nearestNeighborGraph(matrix, { k: K, floor: FLOOR });
  const approximate = await building(async () => {
    graph = await nearestNeighborGraph(matrix, { k: K, floor: FLOOR });
  });
  const source = postingSource(matrix);
  const scratch = createNearestScratch(source);
  const found = await ask(queries, (page) => {
    const options = { k: 10, floor: FLOOR, skip: page };
    return Array.from(nearestToBag(bagOf(matrix, page), source, options, scratch).ids);
  });
  const stored = ({ k, counts, ids }: typeof table) =>
    ask(queries, (page) => Array.from(ids.subarray(page * k, page * k + Math.min(10, counts[page]!))));
  const { indexSeconds: exactSeconds } = exact;
  const { indexSeconds: graphSeconds } = approximate;
  return [
    { name: 'a new document', ...posting, allSeconds: exactSeconds, ...found },
    { name: 'stored lists, exact', ...exact, allSeconds: exactSeconds, ...(await stored(table)) },
    { name: 'stored lists, graph', ...approximate, allSeconds: graphSeconds, ...(await stored(graph.table)) },
  ];
}

async function ofTexts(folder: string, queries: readonly number[]): Promise<PeerSetting[]> {
  const texts = readFileSync(join(folder, 'texts.txt'), 'utf8').split('\n');
  const target = join(folder, 'own.akin');
  const times = await building(() => {
    rmSync(target, { force: true });
    return buildOne({
      input: { path: join(folder, 'texts.jsonl') },
      target,
      parts: 'content',
      workerCount: 1,
    });
  });
  const file = await OpenFile.open(target);
  const reads = new FileReads(file);
  const relation = reads.facts.relation('topic');
  const urls = Array.from(file.reader.pages(), (page) => page.url);
  const fresh = (order: 'votes' | 'similarity') =>
    ask(queries, async (page) => {
      const text = {
        kind: 'text',
        content: texts[page]!,
        title: undefined,
        url: null,
        baseUrl: null,
      } as const;
      const bag = await bagOfDocument(reads, relation, extractDocument(text, null));
      const own = { bag, vector: new Int8Array(0) };
      const { stored } = await documentCandidates(reads, relation, own, bag.features.length, page, {
        order,
        exact: false,
      });
      return firstTen(stored);
    });
  const stored = (inOrder: (list: NeighborSpan) => NeighborSpan) =>
    ask(queries, async (page) => {
      const list = await reads.neighbors(relation.id, await reads.idOf(urls[page]!));
      return firstTen(inOrder(allOf(list)));
    });
  const all = { ...times, allSeconds: times.indexSeconds };
  const settings = [
    { name: 'a new document', ...all, ...(await fresh('similarity')) },
    { name: 'a new document, by votes', ...all, ...(await fresh('votes')) },
    { name: 'stored lists', ...all, ...(await stored(bySimilarity)) },
    { name: 'stored lists, by votes', ...all, ...(await stored((list) => list)) },
  ];
  file.close();
  return settings;
}

function firstTen({ ids, start, end }: NeighborSpan): number[] {
  return Array.from(ids.subarray(start, Math.min(end, start + 10)));
}

if (import.meta.main) {
  const [folder, kind] = process.argv.slice(2) as [string, string];
  const queries = readFileSync(join(folder, 'queries.txt'), 'utf8').split('\n').map(Number);
  const settings = await (kind === 'bags' ? ofBags : ofTexts)(folder, queries);
  const peakMiB = Math.round(process.resourceUsage().maxRSS / 1024);
  writeFileSync(join(folder, 'result.json'), JSON.stringify({ peakMiB, settings }));
}
