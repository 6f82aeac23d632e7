import { NONE } from '../../lib/columns/indexes.ts';
import { KeyTable, key53 } from '../../lib/keys/key-table.ts';
import {
  encodePageInput,
  LINK_URLS_A_BLOCK,
  linkUrlTarget,
  pageTarget,
} from '../../store/blobs/page-input.ts';
import type { StoredAnswer } from '../../store/read/input-reader.ts';
import type { IndexWriter } from '../../store/write/writer.ts';
import { LINK_URLS, OTHER_ANSWERS } from '../files/records/stage-files.ts';
import type { WorkFiles } from '../files/work-folder.ts';
import type { Aliases } from '../gather/records/answers/aliases.ts';
import type { CollapsedFacts } from '../gather/records/collapsed-record.ts';
import { packFolded } from '../gather/records/folded-capture.ts';
import type { PageFacts } from '../gather/records/page-record.ts';

const UNNUMBERED = 0xfffffffe;

type OtherRow = Omit<StoredAnswer, 'id'>;

/**
 * Writes what lets an index be an input: what each page says besides its text, the last answers of the URLs that have no
 * page of their own, and the URLs of links that lead to no page.
 *
 * Memory  24 bytes for each URL that links lead to and that is no page; the captures that others speak for.
 */
export class InputWriter {
  readonly #writer: IndexWriter;
  readonly #folder: WorkFiles;
  readonly #ids: KeyTable;
  readonly #aliasKeys: KeyTable;
  /** Ids of the link URLs. */
  readonly #linkUrls = new KeyTable();
  readonly #folded: OtherRow[] = [];

  /** `ids`: page ids by URL key, those of aliases being the pages that they lead to. */
  constructor(writer: IndexWriter, folder: WorkFiles, aliases: Aliases, ids: KeyTable) {
    this.#writer = writer;
    this.#folder = folder;
    this.#ids = ids;
    this.#aliasKeys = new KeyTable(aliases.size);
    for (const [url] of aliases.all()) this.#aliasKeys.set(key53(url), 1);
  }

  /** Notes the targets of links that lead to no page: captures whose place others took do not count. */
  note(captures: readonly Pick<PageFacts, 'links'>[]): void {
    for (const { links } of captures) {
      for (const key of links) {
        if (!this.#ids.has(key) || this.#aliasKeys.has(key)) this.#linkUrls.set(key, UNNUMBERED);
      }
    }
  }

  /** Writes the URLs of those targets, once all pages are noted. */
  writeLinkUrls(): void {
    let count = 0;
    let block: string[] = [];
    const flush = () => {
      if (block.length > 0) this.#writer.linkUrls(count - block.length, block);
      block = [];
    };
    const write = (url: string) => {
      const key = key53(url);
      if (!this.#linkUrls.has(key)) return;
      this.#linkUrls.set(key, count++);
      block.push(url);
      if (block.length === LINK_URLS_A_BLOCK) flush();
    };
    for (const { url } of LINK_URLS.records(this.#folder)) write(url);
    flush();
  }

  /** Takes pages in the order of their ids. */
  add(id: number, { page, folded }: CollapsedFacts): void {
    if (page !== null) this.#writer.pageInput(id, this.#inputOf(page));
    for (const capture of folded) {
      const { ownUrl: url, sweepId, fetchedAtMs } = capture;
      const record = packFolded(capture, this.#inputOf({ ...capture, ownUrl: '' }));
      this.#folded.push({ url, kind: 'page', sweepId, fetchedAtMs, record });
    }
  }

  #inputOf({ ownUrl, canonical, features, words, spans, links }: PageFacts): Uint8Array {
    return encodePageInput({
      ownUrl,
      canonical,
      features,
      words,
      spans,
      targets: links.map((key) => this.#target(key)),
    });
  }

  #target(key: number): number {
    const linkUrl = this.#linkUrls.get(key, NONE);
    return linkUrl === NONE ? pageTarget(this.#ids.get(key, NONE)) : linkUrlTarget(linkUrl);
  }

  /** Writes the other answers, once all pages are in. */
  finish(): void {
    const folded = this.#folded.sort((a, b) => (a.url < b.url ? -1 : 1));
    let next = 0;
    let id = 0;
    const write = (row: OtherRow) => this.#writer.otherInput({ id: id++, ...row });
    for (const { to, ...answer } of OTHER_ANSWERS.records(this.#folder)) {
      while (next < folded.length && folded[next]!.url < answer.url) write(folded[next++]!);
      write({ ...answer, record: Buffer.from(to) });
    }
    while (next < folded.length) write(folded[next++]!);
  }
}
