/** The documents that each way gets, and what it makes of them. */
import { extractHtml } from '../../src/page/extract-html.ts';
import { canonicalUrl } from '../../src/url/canonical-url.ts';
import { readTsv, unpacked } from '../corpora/data.ts';
import { readJsonl } from '../corpora/jsonl.ts';
import type { Labels } from '../quality/judge.ts';

export interface Article {
  readonly url: string;
  readonly title: string;
  readonly html: string;
  /** The title and the text of the HTML. */
  readonly text: string;
}

/** Of each document that was asked for, by URL, the URLs of the like ones, best first. */
export type Lists = Map<string, readonly string[]>;

export const LIST_LENGTH = 10;

/** The categories of the encyclopedia's articles. */
export function articleLabels(): Labels {
  return new Map(
    readTsv('wikispeedia/labels.tsv', ['url', 'categories'])
      .filter((row) => row.categories !== '')
      .map((row) => [canonicalUrl(row.url)!, new Set(row.categories.split('|'))]),
  );
}

/** The articles that have a label, in the order of the file. */
export async function* articlePages(labels: Labels): AsyncGenerator<Omit<Article, 'text'>> {
  const pages = readJsonl<Omit<Article, 'text'>>(unpacked('wikispeedia/pages.jsonl.zst'));
  for await (const { url: given, title, html } of pages) {
    const url = canonicalUrl(given);
    if (url !== null && labels.has(url)) yield { url, title, html };
  }
}

/** The first `count` of them. */
export async function readArticles(labels: Labels, count: number): Promise<Article[]> {
  const articles: Article[] = [];
  for await (const page of articlePages(labels)) {
    articles.push({ ...page, text: `${page.title}\n${extractHtml(page.html, page.url).text}` });
    if (articles.length === count) break;
  }
  return articles;
}

/** Of document `own`: the others with the greatest scores. */
export function best(articles: readonly Article[], own: number, scores: ArrayLike<number>): string[] {
  const others = Array.from(articles, (_, i) => i).filter((i) => i !== own);
  others.sort((a, b) => scores[b]! - scores[a]!);
  return others.slice(0, LIST_LENGTH).map((i) => articles[i]!.url);
}
