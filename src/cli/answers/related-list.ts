import { left, renderTable, right } from './table.ts';
import { printable } from './terminal.ts';

/** The parts of the service's answer that a person is shown. */
export interface RelatedItem {
  readonly url: string;
  readonly title: string;
  readonly similarity: number;
  readonly measure: 'exact' | 'estimate';
  /** For copies: share of the page asked about in the result, and of the result in that page. */
  readonly containment?: { readonly asked_in_result: number; readonly result_in_asked: number };
  readonly why?: { readonly terms?: readonly { readonly term: string; readonly share: number }[] };
}

export interface RelatedList {
  readonly related: readonly RelatedItem[];
  readonly empty_reason: string | null;
}

const EMPTY: Readonly<Record<string, string>> = {
  too_little_text: 'nothing related: too few words to go by',
  below_threshold: 'nothing related: no page is similar enough',
  excluded: 'nothing related: every related page is excluded by the options',
};

const TITLE_WIDTH = 44;

/**
 * Similarity, title and URL of each result; `~` marks an estimate. Of copies also how much of the page asked
 * about is in the result, and how much of the result is in that page.
 */
export function renderRelated({ related, empty_reason: emptyReason }: RelatedList): string {
  if (related.length === 0)
    return EMPTY[emptyReason ?? ''] ?? `nothing related (${emptyReason ?? 'no reason given'})`;
  const explained = related.some(({ why }) => why?.terms !== undefined);
  const copies = related.some(({ containment }) => containment !== undefined);
  const rows = related.map(({ similarity, measure, containment, title, url, why }) => [
    `${measure === 'estimate' ? '~' : ''}${similarity.toFixed(3)}`,
    ...(copies ? shares(containment) : []),
    shorten(printable(title)),
    printable(url),
    ...(explained ? [(why?.terms ?? []).slice(0, 5).map(termShare).join(', ')] : []),
  ]);
  const columns = [
    right('Similarity'),
    ...(copies ? [right('In result'), right('Of result')] : []),
    left('Title'),
    left('URL'),
    ...(explained ? [left('Shared terms')] : []),
  ];
  return renderTable(columns, rows);
}

export function shares(containment: RelatedItem['containment']): [string, string] {
  if (containment === undefined) return ['', ''];
  return [containment.asked_in_result.toFixed(3), containment.result_in_asked.toFixed(3)];
}

function termShare({ term, share }: { term: string; share: number }): string {
  return `${printable(term)} ${Math.round(share * 100)} %`;
}

export function shorten(text: string): string {
  const letters = [...text];
  return letters.length <= TITLE_WIDTH ? text : `${letters.slice(0, TITLE_WIDTH - 3).join('')}...`;
}
