import type { ByteReader, ByteWriter } from '../../files/records/bytes.ts';
import { AnchorSum } from '../records/anchor-sum.ts';
import { type CapturesOfUrl, writeCollapsed } from '../records/collapsed-record.ts';
import { titleOfPage } from '../records/page-record.ts';
import { latest } from './past-captures.ts';

/** One URL after the other: its captures, then the anchor windows of the links to it, make one record. */
export class CollapsedUrl {
  readonly #anchors = new AnchorSum();
  #captures: CapturesOfUrl = { page: null, past: [], folded: [] };
  #title = '';
  #isLost = false;

  begin(captures: CapturesOfUrl): void {
    const { page, past } = captures;
    this.#captures = captures;
    // Nothing is said of a page that is gone by those that link to it.
    this.#isLost = page === null && past.length > 0;
    this.#title = this.#isLost ? titleOfPage(latest(past)) : page === null ? '' : titleOfPage(page);
    this.#anchors.begin(!this.#isLost && this.#title === '');
  }

  /** Adds a window for each of its captures that counts: `from` stands at the anchor text of a fragment record. */
  addWindow(from: ByteReader, counts: (sequence: number) => boolean): void {
    if (!this.#isLost) this.#anchors.add(from, counts);
  }

  /** Adds a sum of windows. */
  addWindows(from: ByteReader): void {
    if (!this.#isLost) this.#anchors.addPacked(from);
  }

  /**
   * Writes the record. False, and nothing written, where nothing makes a page of the URL: links make one, but none of a URL
   * that `isNoTarget`.
   */
  write(out: ByteWriter, url: string, isNoTarget: boolean): boolean {
    const { keys, sums: tfs } = this.#anchors.takeWords();
    if (this.#captures.page === null && !this.#isLost && (isNoTarget || keys.length === 0)) return false;
    const title = this.#title || this.#anchors.mostFrequentText();
    writeCollapsed(out, { url, title, anchor: { keys, tfs } }, this.#captures);
    return true;
  }
}
