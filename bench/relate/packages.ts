/** Packages of npm that list like documents, or can be asked with a whole text, each with its defaults. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { BenchSkipped } from '../bench.ts';
import { type Article, best, LIST_LENGTH, type Lists } from './article.ts';

const PACKAGES = { 'content-based-recommender': '1.5.0', minisearch: '7.2.0', natural: '8.1.1' };

/** Takes a package from where `installPackages` put it. */
export type Load = (name: keyof typeof PACKAGES) => unknown;
/** The list of one document. */
export type Ask = (document: number) => string[];

/** Errors  BenchSkipped where the packages cannot be installed. */
export function installPackages(folder: string): Load {
  const own = join(folder, 'packages');
  mkdirSync(own);
  writeFileSync(join(own, 'package.json'), JSON.stringify({ private: true, dependencies: PACKAGES }));
  const argv = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];
  try {
    execFileSync('npm', argv, { cwd: own, stdio: ['ignore', 'ignore', 'inherit'] });
  } catch (cause) {
    throw new BenchSkipped(`the packages cannot be installed: ${(cause as Error).message}`);
  }
  return createRequire(join(own, 'package.json'));
}

/** A search by words, asked with the text of a document. */
export function minisearch(articles: readonly Article[], load: Load): Ask {
  interface Search {
    addAll(documents: readonly { id: number; text: string }[]): void;
    search(text: string): { id: number }[];
  }
  const MiniSearch = load('minisearch') as new (options: object) => Search;
  const index = new MiniSearch({ fields: ['text'] });
  index.addAll(articles.map(({ text }, id) => ({ id, text })));
  return (document) => {
    const found = index.search(articles[document]!.text).filter(({ id }) => id !== document);
    return found.slice(0, LIST_LENGTH).map(({ id }) => articles[id]!.url);
  };
}

/** Its `tfidfs`: of each document the sum of tf times idf of the words of a text. */
export function natural(articles: readonly Article[], load: Load): Ask {
  interface TfIdf {
    addDocument(text: string): void;
    tfidfs(text: string): number[];
  }
  const { TfIdf } = load('natural') as { TfIdf: new () => TfIdf };
  const tfidf = new TfIdf();
  for (const { text } of articles) tfidf.addDocument(text);
  return (document) => best(articles, document, tfidf.tfidfs(articles[document]!.text));
}

/** Compares all pairs when it is trained. */
export function recommender(articles: readonly Article[], load: Load): Lists {
  interface Recommender {
    train(documents: readonly { id: string; content: string }[]): void;
    getSimilarDocuments(id: string, start: number, count: number): { id: string }[];
  }
  const Recommender = load('content-based-recommender') as new (options: object) => Recommender;
  const recommender = new Recommender({ maxSimilarDocuments: LIST_LENGTH });
  recommender.train(articles.map(({ url, text }) => ({ id: url, content: text })));
  return new Map(
    articles.map(({ url }) => [
      url,
      recommender.getSimilarDocuments(url, 0, LIST_LENGTH).map(({ id }) => id),
    ]),
  );
}
