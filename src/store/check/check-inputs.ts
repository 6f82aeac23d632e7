import type { TextSpan } from '../../page/extracted-page.ts';
import { MAX_WEIGHT } from '../../page/marks/marks.ts';
import { decodeLinkUrls, decodePageInput } from '../blobs/page-input.ts';
import { decodeSpans } from '../blobs/page-spans.ts';
import type { IndexReader } from '../read/reader.ts';

/** Every page that is there can be read back: its capture, its links and headings, and the URLs that links lead to. */
export function checkInputs(reader: IndexReader, faults: string[]): void {
  let urlCount = 0;
  let before = '';
  const { file } = reader;
  const blocks = 'SELECT first_id, urls FROM link_url ORDER BY first_id';
  for (const [firstId, urls] of file.tuples<[number, Uint8Array]>(blocks)) {
    if (firstId !== urlCount) faults.push(`a block of link URLs begins at ${firstId} instead of ${urlCount}`);
    for (const url of decodeLinkUrls(urls)) {
      if (url <= before) faults.push(`the link URL ${url} is out of order`);
      before = url;
      urlCount++;
    }
  }
  const answers = 'SELECT id, url FROM other_input ORDER BY id';
  let answerCount = 0;
  before = '';
  for (const [id, url] of file.tuples<[number, string]>(answers)) {
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
  const read =
    'SELECT id, url FROM page WHERE fetched = 1 AND id < ? AND id NOT IN (SELECT page_id FROM gone)';
  for (const [id, url] of file.tuples<[number, string]>(read, reader.ownPageCount)) {
    if (!reader.input.isThere(id))
      faults.push(`${url} was read, and what it says besides its text is missing`);
  }
  const silent = `SELECT url FROM page WHERE fetched = 1 AND id < ? AND NOT EXISTS
    (SELECT 1 FROM capture WHERE page_id = page.id AND capture.sweep_id = page.sweep_id)`;
  for (const url of file.values<string>(silent, reader.ownPageCount))
    faults.push(`${url} has no capture that speaks for it`);
}
