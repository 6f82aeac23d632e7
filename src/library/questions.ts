/**
 * What can be asked of an index: in a program by `openIndex`, over HTTP by the client. Both make their methods here, from one
 * function that asks a route by its name; answers have the types of the schemas that document them.
 */
import type * as Api from './generated.ts';

/** The parameters are those of the HTTP service, by the same names: docs/asking.md and openapi.yaml describe them. */
export interface Questions {
  /** Pages related to a page. Errors  NotIndexedError where the index has no such page. */
  related(url: string, options?: Api.RelatedOptions): Promise<Api.RelatedAnswer>;
  /** Pages related to a document that the index need not know, or to several examples. */
  similar(
    document: Api.GivenDocument | Api.GivenExamples,
    options?: Api.SimilarOptions,
  ): Promise<Api.SimilarAnswer>;
  /** Pages by the words of their titles and texts. Errors  InputError where the index has no texts. */
  search(words: string, options?: Api.SearchOptions): Promise<Api.SearchAnswer>;
  /** How the last word of a query may go on while it is typed. Errors  as `search`. */
  suggest(words: string, options?: Api.SuggestOptions): Promise<Api.SuggestionsAnswer>;
  /** What is stored about a page. Errors  NotIndexedError. */
  page(url: string): Promise<Api.PageAnswer>;
  /** The sites of the index, those of most pages read first. */
  sites(options?: Api.SitesOptions): Promise<Api.SitesAnswer>;
  /** The pages of a site, in the order of their URLs. */
  sitePages(site: string, options?: Api.SitePagesOptions): Promise<Api.SitePagesAnswer>;
  /** The cluster of a page, and the broader topics that it lies in. Errors  NotIndexedError. */
  cluster(url: string, options?: Api.ClusterOptions): Promise<Api.ClusterOfPageAnswer>;
  /** All clusters of a level. */
  clusters(options?: Api.ClustersOptions): Promise<Api.ClusterListAnswer>;
  /** A cluster by its id. Errors  NotIndexedError. */
  clusterById(id: string, options?: Api.MembersOptions): Promise<Api.ClusterAnswer>;
  /** Where the content of a URL that is gone lives now. */
  moved(url: string, options?: Api.MovedOptions): Promise<Api.MovedAnswer>;
  /** Pages that are lost, each with the likeliest place of its text. */
  lost(options?: Api.LostOptions): Promise<Api.LostAnswer>;
  /** Pages that a sweep has new, changed or lost, against those before it. */
  changes(options?: Api.ChangesOptions): Promise<Api.ChangesAnswer>;
  /** A page over the sweeps. Errors  NotIndexedError. */
  history(url: string, options?: Api.HistoryOptions): Promise<Api.HistoryAnswer>;
  /** How alike two texts are, and the passages that they share. */
  compare(
    a: Api.ComparedDocument,
    b: Api.ComparedDocument,
    options?: Api.CompareOptions,
  ): Promise<Api.ComparisonAnswer>;
  /** The fewest pages that hold a text together, and what of it none holds. */
  cover(document: Api.GivenDocument, options?: Api.CoverOptions): Promise<Api.CoverAnswer>;
  /** A list of results with its copies folded together. */
  group(results: readonly Api.GroupedResult[], options?: Api.GroupOptions): Promise<Api.GroupsAnswer>;
  /** What the index holds, and how it was made. */
  card(): Promise<Api.IndexAnswer>;
}

/** Routes by the names of their operations. */
export type QuestionName = Exclude<keyof Questions, 'card'> | 'index';

type Values = Readonly<Record<string, unknown>>;

/** Asks a route; values are those of the address and of the path, a body is posted as JSON. */
type Ask = (name: QuestionName, values: Values, body?: unknown) => Promise<unknown>;

export function questionsOf(ask: Ask): Questions {
  const asked = ask as (name: QuestionName, values: Values, body?: unknown) => Promise<never>;
  return {
    related: (url, options) => asked('related', { url, ...options }),
    similar: (document, options) => asked('similar', { ...options }, document),
    search: (q, options) => asked('search', { q, ...options }),
    suggest: (q, options) => asked('suggest', { q, ...options }),
    page: (url) => asked('page', { url }),
    sites: (options) => asked('sites', { ...options }),
    sitePages: (site, options) => asked('sitePages', { site, ...options }),
    cluster: (url, options) => asked('cluster', { url, ...options }),
    clusters: (options) => asked('clusters', { ...options }),
    clusterById: (id, options) => asked('clusterById', { id, ...options }),
    moved: (url, options) => asked('moved', { url, ...options }),
    lost: (options) => asked('lost', { ...options }),
    changes: (options) => asked('changes', { ...options }),
    history: (url, options) => asked('history', { url, ...options }),
    compare: (a, b, options) => asked('compare', { ...options }, { a, b }),
    cover: (document, options) => asked('cover', { ...options }, document),
    group: (results, options) => asked('group', {}, { results, ...options }),
    card: () => asked('index', {}),
  };
}
