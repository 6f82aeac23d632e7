import type { RouteName } from '../service/routes/request.ts';

/** Routes that answer a list, and the member that it is. */
export const LISTS = {
  related: 'related',
  search: 'results',
  clusters: 'clusters',
  clusterById: 'members',
  lost: 'pages',
  moved: 'candidates',
  changes: 'pages',
  sites: 'sites',
  sitePages: 'pages',
  history: 'captures',
} as const satisfies Partial<Record<RouteName, string>>;

export type ListName = keyof typeof LISTS;
