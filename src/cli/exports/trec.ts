/** The lists of an index and its judgements as the files that programs for TREC read: PREFIX.run and PREFIX.qrels. */
import { InputError } from '../../errors.ts';
import type { Relevance } from '../../evaluate/relevance.ts';
import type { IndexReader } from '../../store/read/reader.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { writeOut } from './output.ts';

/**
 * A topic is a page that is judged, a document a page; both go by their URLs. Scores count down from the length of the list,
 * since readers of runs sort by score. Judgements of 0 are written only of listed pages: others do not count.
 *
 * Errors  InputError AKIN_ERR_INPUT_UNREADABLE for a grade that is not whole; as `writeOut`.
 */
export async function writeTrec(
  terminal: Terminal,
  prefix: string,
  reader: IndexReader,
  relationId: number,
  relevance: Relevance<number>,
): Promise<void> {
  // First: where a grade is not whole, neither file is written.
  await writeOut(terminal, `${prefix}.qrels`, judgementLines(reader, relationId, relevance));
  await writeOut(terminal, `${prefix}.run`, runLines(reader, relationId, relevance));
}

async function* runLines(reader: IndexReader, relationId: number, { queries }: Relevance<number>) {
  const urlOf = (id: number) => reader.page(id).url;
  for (const query of queries) {
    const topic = urlOf(query);
    const { ids } = reader.neighbors(relationId, query);
    let text = '';
    for (const [i, id] of ids.entries()) text += `${topic} Q0 ${urlOf(id)} ${i + 1} ${ids.length - i} akin\n`;
    yield text;
  }
}

async function* judgementLines(reader: IndexReader, relationId: number, relevance: Relevance<number>) {
  const { queries } = relevance;
  const urls = new Map(queries.map((id) => [id, reader.page(id).url]));
  for (const query of queries) {
    const listed = new Set(reader.neighbors(relationId, query).ids);
    let text = '';
    for (const [id, url] of urls) {
      const grade = id === query ? undefined : relevance.grade(query, id);
      if (grade === undefined || (grade === 0 && !listed.has(id))) continue;
      text += `${urls.get(query)} 0 ${url} ${whole(grade)}\n`;
    }
    yield text;
  }
}

function whole(grade: number): number {
  if (Number.isInteger(grade)) return grade;
  throw new InputError('AKIN_ERR_INPUT_UNREADABLE', `TREC judgements are whole numbers; one is ${grade}`, {
    hint: 'multiply the grades of the table, or leave --trec out',
  });
}
