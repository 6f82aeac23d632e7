import type { CrawlProgress } from '../../crawl/folder/crawl-folder.ts';
import { formatCount, formatNumberOf, formatSize } from './table.ts';
import type { Terminal } from './terminal.ts';

/** Lines at most this often where there is no terminal. */
const PLAIN_INTERVAL_MS = 10_000;
/** The rate is that of the last so many looks. */
const RATE_WINDOW = 10;

/** How a crawl comes along, on standard error: one line that is written over on a terminal, seldom lines elsewhere. */
export class CrawlStatus {
  readonly #stream: Terminal['stderr'];
  readonly #now: () => number;
  readonly #looks: { atMs: number; responses: number }[] = [];
  #lastLineAtMs: number;
  #isOpen = false;

  constructor(stream: Terminal['stderr'], now: () => number) {
    this.#stream = stream;
    this.#now = now;
    this.#lastLineAtMs = now();
  }

  show(progress: CrawlProgress): void {
    const atMs = this.#now();
    this.#looks.push({ atMs, responses: progress.state.counts.responses });
    if (this.#looks.length > RATE_WINDOW) this.#looks.shift();
    const text = this.#text(progress);
    if (this.#stream.isTTY === true) {
      this.#stream.write(`\r\u001b[2K${text.slice(0, (this.#stream.columns ?? 80) - 1)}`);
      this.#isOpen = true;
    } else if (atMs - this.#lastLineAtMs >= PLAIN_INTERVAL_MS) {
      this.#lastLineAtMs = atMs;
      this.#stream.write(`${text}\n`);
    }
  }

  line(text: string): void {
    this.close();
    this.#stream.write(`${text}\n`);
  }

  /** Leaves the terminal clean. */
  close(): void {
    if (this.#isOpen) this.#stream.write('\r\u001b[2K');
    this.#isOpen = false;
  }

  #text({ state, urls, hosts, inFlight }: CrawlProgress): string {
    const { counts } = state;
    const [first, last] = [this.#looks[0]!, this.#looks.at(-1)!];
    const seconds = Math.max(1, last.atMs - first.atMs) / 1000;
    const rate = (last.responses - first.responses) / seconds;
    const failures = Object.entries(counts.failures).map(
      ([reason, count]) => `${formatCount(count)} ${reason}`,
    );
    return [
      `${formatCount(counts.responses)} fetched`,
      `${rate.toFixed(1)}/s`,
      `${formatCount(urls)} queued of ${formatNumberOf(hosts, 'host')}`,
      `${inFlight} being fetched`,
      formatSize(counts.bytes),
      ...(failures.length === 0 ? [] : [`failed: ${failures.join(', ')}`]),
    ].join(', ');
  }
}
