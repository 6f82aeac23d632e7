import type {
  CompareAnswer,
  ComparedTextAnswer,
  EstimateAnswer,
} from '../../service/schemas/answers/copy-answers.ts';
import { formatCount, formatNumberOf, left, renderTable, right } from '../terminal/table.ts';
import { printable } from '../terminal/terminal.ts';
import { shorten } from './phrases.ts';

const MISSING: Readonly<Record<NonNullable<CompareAnswer['passages_missing']>, string>> = {
  text_not_kept: 'the index was built without texts (--no-text)',
  text_too_long: 'a text is too long',
};

const MAX_PASSAGES = 20;

/** Facts, then the longest shared passages; `words` are A and B as written on the command line. */
export function renderComparison(comparison: CompareAnswer, words: readonly [string, string]): string {
  const { a, b, equality, topic, features, meaning, resemblance, containment, segments } = comparison;
  const { edit_distance: edits } = comparison;
  const facts: [string, string][] = [
    ['a', sideText(a, words[0])],
    ['b', sideText(b, words[1])],
    ['equality', equality.replaceAll('_', ' ')],
    ...(topic === null ? [] : [['topic', topic.similarity.toFixed(3)] as [string, string]]),
    ...(features === null ? [] : [['features', features.similarity.toFixed(3)] as [string, string]]),
    ...(meaning ?? []).map(({ vector, similarity }): [string, string] => {
      return ['meaning', `~${similarity.toFixed(3)} by the vectors ${printable(vector)}`];
    }),
    ['resemblance', figureText(resemblance)],
    ['a in b', figureText(containment.a_in_b)],
    ['b in a', figureText(containment.b_in_a)],
    ...(edits === null ? [] : [['edits', editText(edits)] as [string, string]]),
    ...(segments === null ? [] : [['segments', segmentText(segments)] as [string, string]]),
  ];
  return `${facts.map(([name, value]) => `${name.padEnd(13)}${value}`).join('\n')}\n\n${passageTable(comparison)}`;
}

function sideText({ url, title, token_count: tokenCount }: ComparedTextAnswer, word: string): string {
  const name = url ?? (word === '-' ? 'standard input' : word);
  const titled = title === '' ? '' : `, ${shorten(printable(title))}`;
  return `${printable(name)}${titled}, ${formatCount(tokenCount)} tokens`;
}

function editText({ value, exact }: NonNullable<CompareAnswer['edit_distance']>): string {
  return exact ? formatNumberOf(value, 'word') : `${formatNumberOf(value, 'word')} or more`;
}

/** `3 of both, 7 in a, 5 in b` */
function segmentText({ a, b, shared }: NonNullable<CompareAnswer['segments']>): string {
  return `${formatCount(shared)} of both, ${formatCount(a)} in a, ${formatCount(b)} in b`;
}

/** `0.912`, or `~0.912 +- 0.008` for an estimate. */
function figureText({ value, standard_error: error }: EstimateAnswer): string {
  return error === 0 ? value.toFixed(3) : `~${value.toFixed(3)} +- ${error.toFixed(3)}`;
}

function passageTable({
  a,
  passages,
  passage_count: count,
  passages_missing: missing,
}: CompareAnswer): string {
  if (passages === null) return `shared passages not known${missing && `: ${MISSING[missing]}`}`;
  if (passages.length === 0) return 'no shared passages';
  const shown = passages.toSorted((x, y) => y.token_count - x.token_count).slice(0, MAX_PASSAGES);
  const rows = shown.map((passage) => [
    formatCount(passage.token_count),
    `${passage.a.start}-${passage.a.end}`,
    `${passage.b.start}-${passage.b.end}`,
    shorten(printable((a.text ?? '').slice(passage.a.start, Math.min(passage.a.end, passage.a.start + 200)))),
  ]);
  const table = renderTable([right('Tokens'), right('In a'), right('In b'), left('Shared passage')], rows);
  const more = (count ?? 0) - shown.length;
  return more > 0 ? `${table}\nand ${formatCount(more)} more` : table;
}
