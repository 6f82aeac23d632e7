import type { TextSpan } from '../../page/extracted-page.ts';
import { MAX_WEIGHT } from '../../page/marks/marks.ts';
import { decodeLinkUrls, decodePageInput } from '../blobs/page-input.ts';
import { decodeSpans } from '../blobs/page-spans.ts';
import type { Db } from '../database.ts';
import type { IndexReader } from '../read/reader.ts';

/** Every page that is there can be read back: its capture, its links and headings, and the URLs that links lead to. */
export function checkInputs(db: Db, reader: IndexReader, faults: string[]): void {
  let urlCount = 0;
  let before = '';
  const blocks = db.prepare('SELECT first_id, urls FROM link_url ORDER BY first_id').raw();
  for (const [firstId, urls] of blocks.iterate() as IterableIterator<[number, Uint8Array]>) {
    if (firstId !== urlCount) faults.push(`a block of link URLs begins at ${firstId} instead of ${urlCount}`);
    for (const url of decodeLinkUrls(urls)) {
      if (url <= before) faults.push(`the link URL ${url} is out of order`);
      before = url;
      urlCount++;
    }
  }
  const answers = db.prepare('SELECT id, url FROM other_input ORDER BY id').raw();
  let answerCount = 0;
  before = '';
  for (const [id, url] of answers.iterate() as IterableIterator<[number, string]>) {
    if (id !== answerCount++ || url <= before) faults.push(`the other answer of ${url} is out of order`);
    before = url;
  }
  for (const { pageId, record } of reader.input.records()) {
    try {
      const { targets, spans } = decodePageInput(record);
      const isBroken = targets.some((target) =>
        target % 2 === 0 ? target / 2 >= reader.pageCount : (target - 1) / 2 >= urlCount,
      );
      if (isBroken) faults.push(`page ${pageId} has a link to a URL that is not there`);
      const { links, headings, weights } = decodeSpans(spans, targets.length);
      const version = reader.versions.current(pageId);
      const kept = version < 0 ? null : reader.versions.text(version);
      const length = kept?.text.length ?? Infinity;
      if (headings.some(({ start, end }) => start >= end)) faults.push(`page ${pageId} has an empty heading`);
      if (weights.some(({ weight }) => weight < 2 || weight > MAX_WEIGHT)) {
        faults.push(`page ${pageId} has a part with a weight that is none`);
      }
      const isInside = ({ start, end }: TextSpan) => end <= length || (start === length + 1 && end === start);
      if (!links.every(isInside) || [...headings, ...weights].some(({ end }) => end > length)) {
        faults.push(`page ${pageId} has a link, a heading or a part with a weight outside its text`);
      }
    } catch (error) {
      faults.push(`page ${pageId}: ${(error as Error).message}`);
    }
  }
  const read = db
    .prepare('SELECT id, url FROM page WHERE fetched = 1 AND id < ? AND id NOT IN (SELECT page_id FROM gone)')
    .raw();
  for (const [id, url] of read.iterate(reader.ownPageCount) as IterableIterator<[number, string]>) {
    if (!reader.input.isThere(id))
      faults.push(`${url} was read, and what it says besides its text is missing`);
  }
  const silent = db
    .prepare(
      `SELECT url FROM page WHERE fetched = 1 AND id < ? AND NOT EXISTS
       (SELECT 1 FROM capture WHERE page_id = page.id AND capture.sweep_id = page.sweep_id)`,
    )
    .pluck()
    .all(reader.ownPageCount) as string[];
  for (const url of silent) faults.push(`${url} has no capture that speaks for it`);
}
