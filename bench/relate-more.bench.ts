/**
 * Measured   `relate()` of more documents than a bench of its lists has time for (`relate`): processor seconds and peak
 *            memory, each row in a process of its own.
 * Corpus     Encyclopedia articles that have a category, as `{ url, title, html }`: the first 1,000, and all; posts of 20
 *            newsgroups, as `{ url, text }`: 5,000, spread evenly over the groups.
 * Notes      Lists of ten for all documents. Memory is that of the process; before: Node and the documents.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type RelatedDocument, relate } from '../src/library/relate.ts';
import { announce, type BenchResult, round } from './bench.ts';
import { dataFile } from './corpora/data.ts';
import { newsgroupPosts } from './corpora/newsgroups.ts';
import { forgetPeak, peakMiB } from './peak-memory.ts';
import { articleLabels, articlePages, LIST_LENGTH } from './relate/article.ts';

const POSTS = 5000;

const CORPORA = {
  '1,000 articles': () => taken(articlePages(articleLabels()), 1000),
  'all articles': () => taken(articlePages(articleLabels()), Number.POSITIVE_INFINITY),
  'posts of newsgroups': spreadPosts,
} satisfies Record<string, () => Promise<RelatedDocument[]>>;

interface Figures {
  readonly documentCount: number;
  readonly characterCount: number;
  readonly processorMs: number;
  readonly peakBeforeMiB: number;
  readonly peakMiB: number;
}

export async function run(): Promise<BenchResult> {
  for (const name of ['wikispeedia/pages.jsonl.zst', '20newsgroups/text-train.tar.zst']) dataFile(name);
  const rows = [];
  for (const name of Object.keys(CORPORA)) {
    const child = fork(fileURLToPath(import.meta.url), [name]);
    const [figures] = (await once(child, 'message')) as [Figures];
    const { documentCount, characterCount, processorMs } = figures;
    const seconds = round(processorMs / 1000, 1);
    announce({ corpus: name, documents: documentCount, seconds, peakMiB: figures.peakMiB });
    const perDocument = [round(characterCount / documentCount / 1000, 1), seconds];
    const memory = [figures.peakBeforeMiB, figures.peakMiB];
    rows.push([name, documentCount, ...perDocument, round(processorMs / documentCount, 2), ...memory]);
  }
  const columns = ['of', 'documents', '1,000 characters each', 'processor s', 'ms a document'];
  return {
    corpus: {},
    tables: [{ caption: 'Lists of all documents', columns: [...columns, 'MiB before', 'peak MiB'], rows }],
  };
}

async function taken(documents: AsyncIterable<RelatedDocument>, count: number): Promise<RelatedDocument[]> {
  const found: RelatedDocument[] = [];
  for await (const document of documents) {
    found.push(document);
    if (found.length === count) break;
  }
  return found;
}

async function spreadPosts(): Promise<RelatedDocument[]> {
  const posts = await taken(newsgroupPosts(), Number.POSITIVE_INFINITY);
  // A post is taken where the share that is due reaches the next whole number.
  return posts.filter(
    (_, i) => Math.floor(((i + 1) * POSTS) / posts.length) > Math.floor((i * POSTS) / posts.length),
  );
}

async function measure(name: string): Promise<Figures> {
  const documents = await CORPORA[name as keyof typeof CORPORA]();
  const characterCount = documents.reduce((sum, { html, text }) => sum + (html ?? text ?? '').length, 0);
  const peakBeforeMiB = peakMiB();
  forgetPeak();
  const started = process.cpuUsage();
  await relate(documents, { limit: LIST_LENGTH });
  const { user, system } = process.cpuUsage(started);
  const figures = { documentCount: documents.length, characterCount, processorMs: (user + system) / 1000 };
  return { ...figures, peakBeforeMiB, peakMiB: peakMiB() };
}

if (process.send !== undefined && import.meta.main) {
  process.send(await measure(process.argv[2]!));
  process.disconnect();
}
