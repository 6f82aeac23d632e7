/** What is asked of the index of `family-index.ts`: of every route what takes it longest. */
import { HUB, laterUrl, variantUrl } from './family-index.ts';

export interface Question {
  readonly path: string;
  readonly body?: object;
}

const related = (url: string, more = '') => ({ path: `/related?url=${encodeURIComponent(url)}${more}` });
const of = (path: string, url: string, more = '') => ({
  path: `${path}?url=${encodeURIComponent(url)}${more}`,
});
const variants = (count: number, from = 0) => Array.from({ length: count }, (_, i) => variantUrl(from + i));
const text = `variant ${'of a family with words '.repeat(30)}`;

/** A question by its name; `i` chooses another page of the family, so that nothing is known of it yet. */
export const questionsOf = (i: number): Readonly<Record<string, Question>> => ({
  related: related(variantUrl(i)),
  'related limit=100': related(variantUrl(i), '&limit=100'),
  'related filtered': related(variantUrl(i), '&limit=100&max_per_site=1&exclude_copies=true'),
  'related by site': related(variantUrl(i), '&limit=100&same_site=only'),
  'related published_after': related(variantUrl(i), '&limit=100&published_after=2020-01-01'),
  'related explain': related(variantUrl(i), '&limit=100&explain=true&cards=true'),
  'copies limit=1': related(variantUrl(i), '&by=copy&limit=1'),
  'copies limit=100': related(variantUrl(i), '&by=copy&limit=100&cards=true'),
  'copies clustering': related(variantUrl(i), '&by=copy&limit=100&clustering=0.5'),
  'copies as HTML': of('/related.html', variantUrl(i), '&by=copy&limit=10'),
  'companion of the hub': related(HUB, '&by=companion&limit=100&explain=true&cards=true'),
  cocitation: related(variantUrl(i), '&by=cocitation&limit=100&explain=true'),
  'cocitation of the hub': related(HUB, '&by=cocitation&limit=100&explain=true'),
  'coupling of the hub': related(HUB, '&by=coupling&limit=100&explain=true'),
  'moved, gone': of('/moved', variantUrl(20 + (i % 20)), '&limit=1'),
  'moved, in use': of('/moved', variantUrl(i), '&limit=100'),
  'moved, later': of('/moved', laterUrl(40 + (i % 20)), '&limit=100'),
  history: of('/history', variantUrl(100 + (i % 40))),
  page: of('/page', variantUrl(i)),
  'page of the hub': of('/page', HUB),
  'cluster of copies': of('/cluster', variantUrl(i), '&by=copy&limit=100'),
  clusters: { path: '/clusters?limit=100' },
  search: { path: `/search?q=${encodeURIComponent('anchor barley candle')}&limit=100` },
  index: { path: '/index' },
  batch: { path: '/related/batch', body: { urls: variants(100, i), limit: 100 } },
  'batch explained': {
    path: '/related/batch',
    body: { urls: variants(100, i), limit: 100, explain: true, cards: true },
  },
  'batch without copies': {
    path: '/related/batch',
    body: { urls: variants(100, i), limit: 100, exclude_copies: true },
  },
  'batch of copies': { path: '/related/batch', body: { urls: variants(10, i), by: 'copy', limit: 100 } },
  'batch of the hub': { path: '/related/batch', body: { urls: [HUB], by: 'companion', limit: 100 } },
  'batch grouped': { path: '/related/batch', body: { urls: variants(100, i), group: true } },
  similar: { path: '/similar', body: { text } },
  compare: { path: '/compare', body: { a: { url: variantUrl(i) }, b: { url: variantUrl(i + 1) } } },
  group: { path: '/group', body: { results: variants(100, i) } },
  'explored page': of('/explore/page', variantUrl(i)),
  'explored page by companion': of('/explore/page', HUB, '&by=companion'),
  'explored map': of('/explore/map', variantUrl(i)),
  'explored moves': of('/explore/moved', variantUrl(40 + (i % 20))),
  'explored topics': { path: '/explore/topics' },
  home: { path: '/' },
  demo: { path: '/demo' },
});
