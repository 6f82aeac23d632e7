/**
 * Measured   Lists of ten that are made in the memory of one process: processor seconds, and P@10 and hit@10 by a
 *            shared category, over every tenth article. The first table is of 1,000 articles, the second of the first 200
 *            of them, over all of these.
 * Corpus     The first 1,000 of the encyclopedia articles that have a category, as `{ url, title, html }`.
 * Notes      `relate` reads the HTML, words around links included; the others get its text, and the time to take it out
 *            is not counted. By hand is what posts on the web show: words of letters in lower case without stop words, tf times
 *            idf in a `Map` a document, the cosine of every pair in a loop. The packages of npm have their defaults.
 *            minisearch and natural are searches, asked with the whole text of a document: for every tenth article
 *            alone, as all would take many minutes. content-based-recommender compares all pairs when it is
 *            trained, some 70 ms a document among 200 and more among 1,000, so it has 200.
 */
import { judgeLists } from '../src/evaluate/judge-lists.ts';
import { relevanceByLabels } from '../src/evaluate/relevance.ts';
import { relate } from '../src/library/relate.ts';
import { announce, type BenchResult, type Cell, round } from './bench.ts';
import { withFolder } from './corpora/data.ts';
import { type Article, articleLabels, LIST_LENGTH, type Lists, readArticles } from './relate/article.ts';
import { byHand } from './relate/by-hand.ts';
import { type Ask, installPackages, minisearch, natural, recommender } from './relate/packages.ts';

const DOCUMENTS = 1000;
const JUDGED_EVERY = 10;
const FEW = 200;
const COLUMNS = ['by', 'lists made', 'processor s', 'ms a list', 'P@10', 'hit@10'];

export async function run(): Promise<BenchResult> {
  const labels = articleLabels();
  const articles = await readArticles(labels, DOCUMENTS);
  const judged = articles.filter((_, i) => i % JUDGED_EVERY === 0);
  const few = articles.slice(0, FEW);
  announce({ documents: articles.length });
  return withFolder(async (folder) => {
    const load = installPackages(folder);
    const measure = async (by: string, queries: readonly Article[], way: () => Lists | Promise<Lists>) => {
      const startedS = processorSeconds();
      const lists = await way();
      const seconds = processorSeconds() - startedS;
      const urls = queries.map(({ url }) => url);
      const listOf = (url: string) => lists.get(url) ?? [];
      const [quality] = judgeLists(listOf, relevanceByLabels(labels), urls, { at: [LIST_LENGTH] });
      const { precision, hit } = quality!;
      const row = [by, lists.size, round(seconds, 1), round((seconds * 1000) / lists.size, 1)];
      announce({ by, seconds: round(seconds, 1), p10: round(precision) });
      return [...row, round(precision), round(hit)] satisfies Cell[];
    };
    const asked = (ask: Ask): Lists => new Map(judged.map(({ url }, i) => [url, ask(i * JUDGED_EVERY)]));
    const of1000 = [
      await measure('akin, relate()', judged, () => related(articles)),
      await measure('TF-IDF cosine by hand', judged, () => byHand(articles)),
      await measure('minisearch 7.2.0', judged, () => asked(minisearch(articles, load))),
      await measure('natural 8.1.1, TfIdf', judged, () => asked(natural(articles, load))),
    ];
    const of200 = [
      await measure('akin, relate()', few, () => related(few)),
      await measure('TF-IDF cosine by hand', few, () => byHand(few)),
      await measure('content-based-recommender 1.5.0', few, () => recommender(few, load)),
    ];
    return {
      corpus: { documents: articles.length },
      tables: [
        { caption: 'Lists of 1,000 articles', columns: COLUMNS, rows: of1000 },
        { caption: 'Lists of 200 articles', columns: COLUMNS, rows: of200 },
      ],
    };
  });
}

function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

async function related(articles: readonly Article[]): Promise<Lists> {
  const documents = articles.map(({ url, title, html }) => ({ url, title, html }));
  const lists = await relate(documents, { limit: LIST_LENGTH });
  return new Map(Array.from(lists, ([url, list]) => [url, list.map((item) => item.url)]));
}
