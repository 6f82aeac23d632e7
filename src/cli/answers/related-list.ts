import { greatestTerms } from '../../explorer/parts/greatest-terms.ts';
import type {
  RelatedAnswer,
  RelatedPageAnswer,
  WhyAnswer,
} from '../../service/schemas/answers/list-answers.ts';
import { formatNumberOf, left, renderTable, right } from '../terminal/table.ts';
import { printable } from '../terminal/terminal.ts';
import { boundText, containmentTexts, EMPTY_TEXTS, facetLines, shorten, similarityText } from './phrases.ts';

/**
 * Similarity or score, title and URL of each result; `~` marks an estimate. For copies also how much of the page asked
 * about is in the result, and how much of the result is in that page. With fields a column for each; behind it how the list divides.
 */
export function renderRelated({
  related,
  empty_reason: reason,
  facets,
  complete = true,
}: Pick<RelatedAnswer, 'related' | 'empty_reason' | 'facets' | 'complete'>): string {
  const bound = boundText(complete);
  if (reason !== null) return EMPTY_TEXTS[reason] + bound;
  const explained = related.some(({ why }) => why !== undefined);
  const byLinks = related.some(({ why }) => why !== undefined && why.terms === undefined);
  const copies = related.some(({ containment }) => containment !== undefined);
  const fieldNames = [...new Set(related.flatMap(({ fields = {} }) => Object.keys(fields)))];
  const marked = related.some((page) => markText(page) !== '');
  const rows = related.map(({ similarity, measure, containment, title, url, fields, why, ...page }) => [
    similarityText(similarity, measure),
    ...(copies ? containmentTexts(containment) : []),
    shorten(printable(title)),
    printable(url),
    ...(marked ? [markText(page)] : []),
    ...fieldNames.map((name) => fieldText(fields?.[name])),
    ...(explained ? [whyText(why)] : []),
  ]);
  const columns = [
    right(related.some(({ measure }) => measure === 'score') ? 'Score' : 'Similarity'),
    ...(copies ? [right('In result'), right('Of result')] : []),
    left('Title'),
    left('URL'),
    ...(marked ? [left('Why here')] : []),
    ...fieldNames.map((name) => left(printable(name))),
    ...(explained ? [left(byLinks ? 'Citations' : 'Shared terms')] : []),
  ];
  const table = renderTable(columns, rows) + bound;
  return facets === undefined ? table : [table, '', ...facetLines(facets)].join('\n');
}

/** What else than its similarity has put it there. */
function markText({ pinned, fallback }: Pick<RelatedPageAnswer, 'pinned' | 'fallback'>): string {
  return pinned ? 'pinned' : (fallback ?? '');
}

/** Its values; nothing where the page does not have it. */
function fieldText(value: unknown = []): string {
  return printable([value].flat().join(', '));
}

/** `12: https://a.example/ https://b.example/`, or the shared terms and how many links are shared. */
function whyText({ terms, citations = [], citation_count: count = 0 }: WhyAnswer = {}): string {
  if (terms === undefined) return [`${count}:`, ...citations.map(printable)].join(' ');
  const words = greatestTerms(terms, 5).map(
    ([term, share]) => `${printable(term)} ${Math.round(share * 100)} %`,
  );
  return [...words, ...(count > 0 ? [`${formatNumberOf(count, 'link')} in common`] : [])].join(', ');
}
