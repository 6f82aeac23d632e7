import { statSync } from 'node:fs';
import { optionFault } from '../../errors.ts';
import type { ShapingOptions } from '../../indexer/options/build-options.ts';
import { canonicalUrl } from '../../url/canonical-url.ts';
import { formatCount } from '../terminal/table.ts';
import { readJudgementTable, readTable, rowFault } from './judgement-table.ts';
import { findSeparator, toPath } from './judgements.ts';

/** The table is kept in the index, which reads it whenever it is opened. */
const MOST_BYTES = 8 * 2 ** 20;
/** Clusters are named by the first steps of a class, each of them a string: a square of its length. */
const MOST_CLASS_CHARS = 1000;

/**
 * Reads `--classes TSV`: columns as of `akin evaluate --labels`; of several classes of a page the first counts. By URL,
 * each once, with "/" between the steps of a class.
 *
 * Errors  InputError, as `readJudgementTable`; AKIN_ERR_OPTION for judged pairs and for a file that is too large.
 */
export function readClassTable(path: string): NonNullable<ShapingOptions['classes']> {
  const text = readTable(path);
  const { size } = statSync(path);
  if (size > MOST_BYTES) {
    throw optionFault(
      `--classes ${path} has ${size} bytes; at most ${MOST_BYTES} are taken`,
      'give the classes of fewer pages: topics follow their neighbors',
    );
  }
  const table = readJudgementTable(path, text, null);
  if (table.kind === 'pairs') {
    throw optionFault(`--classes ${path} has judged pairs`, 'give url and class, one page a line');
  }
  const classOf = new Map<string, string>();
  for (const { line, url, labels } of table.rows) {
    const canonical = canonicalUrl(url);
    if (canonical === null) throw rowFault(path, line, 'url', `"${url}" is not an http(s) URL`);
    const { length } = labels[0] ?? '';
    if (length > MOST_CLASS_CHARS) {
      const what = `a class has ${formatCount(length)} characters; at most ${formatCount(MOST_CLASS_CHARS)} are taken`;
      throw rowFault(path, line, table.column, what);
    }
    if (labels.length > 0 && !classOf.has(canonical)) classOf.set(canonical, labels[0]!);
  }
  const labels = new Map([...classOf.values()].map((label, i) => [i, new Set([label])]));
  const separator = findSeparator(labels);
  return [...classOf]
    .map(([url, label]) => [url, separator === null ? label : toPath(label, separator).join('/')] as const)
    .filter(([, one]) => one !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
