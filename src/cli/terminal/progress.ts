import cliProgress from 'cli-progress';
import type { BuildListener } from '../../indexer/files/stage-runner.ts';
import type { Fault, SkipReason } from '../../sources/record/record.ts';
import { formatCount, formatDuration, formatNumberOf, formatSize } from './table.ts';
import { printable, type Terminal } from './terminal.ts';

/** Time between two lines of one stage where there is no terminal. */
const PLAIN_INTERVAL_MS = 5000;
/** Faults of one reason that are named; further ones are only counted. */
const NAMED_FAULTS = 20;

interface ProgressOptions {
  /** Name every fault, not only the first of each reason. */
  readonly verbose: boolean;
  readonly now: () => number;
}

interface Stage {
  readonly name: string;
  readonly unit: string;
  readonly startedAtMs: number;
}

/**
 * Shows the progress of a build on standard error: on a terminal a bar with rate and time left, elsewhere a plain
 * line now and then. Names skipped records.
 */
export class ProgressReporter implements BuildListener {
  readonly #stream: Terminal['stderr'];
  readonly #options: ProgressOptions;
  readonly #faultCounts = new Map<SkipReason, number>();
  readonly #damages: Fault[] = [];
  #stage: Stage | null = null;
  #bar: cliProgress.SingleBar | null = null;
  #lastLineAtMs = 0;

  constructor(stream: Terminal['stderr'], options: ProgressOptions) {
    this.#stream = stream;
    this.#options = options;
  }

  stageStarted({ name, unit, total, resumed }: Parameters<BuildListener['stageStarted']>[0]): void {
    this.#stopBar();
    const startedAtMs = this.#options.now();
    this.#stage = { name, unit, startedAtMs };
    this.#lastLineAtMs = startedAtMs;
    if (resumed) this.say(`${name}: continues where the last run stopped`);
    if (this.#stream.isTTY === true) this.#startBar(total);
  }

  stageProgress(done: number, total: number | null): void {
    const stage = this.#stage;
    if (stage === null) return;
    const now = this.#options.now();
    if (this.#bar !== null) {
      if (total !== null) this.#bar.setTotal(total);
      this.#bar.update(done, { status: this.#status(stage, done, total, now) });
    } else if (now - this.#lastLineAtMs >= PLAIN_INTERVAL_MS) {
      this.#lastLineAtMs = now;
      this.say(`${stage.name}: ${this.#status(stage, done, total, now)}`);
    }
  }

  stageEnded({
    name,
    recordCount,
    durationMs,
    processorMs,
  }: Parameters<BuildListener['stageEnded']>[0]): void {
    this.#stopBar();
    this.#stage = null;
    this.say(
      `${name}: ${formatCount(recordCount)} in ${formatDuration(durationMs)}, ${formatDuration(processorMs)} of processors`,
    );
  }

  fault(fault: Fault): void {
    const { reason, url, where, detail, extension } = fault;
    // The summary counts them by extension: a site has many images.
    if (extension !== undefined && !this.#options.verbose) return;
    if (fault.isDamage === true) this.#damages.push(fault);
    const count = (this.#faultCounts.get(reason) ?? 0) + 1;
    this.#faultCounts.set(reason, count);
    if (this.#options.verbose || count <= NAMED_FAULTS) {
      const name = url === null || where.includes(url) ? where : `${url} (${where})`;
      this.say(`skipped (${reason}): ${printable(name)}${detail && `: ${printable(detail)}`}`);
    } else if (count === NAMED_FAULTS + 1) {
      this.say(`skipped (${reason}): further ones are only counted (--verbose names all)`);
    }
  }

  /** Names the damaged inputs. One record is counted for each place; more may be lost. */
  warnOfDamage(): void {
    for (const { where, detail } of this.#damages.slice(0, NAMED_FAULTS)) {
      this.say(
        `akin: warning: damaged input, pages may be missing: ${printable(where)}: ${printable(detail)}`,
      );
    }
    const more = this.#damages.length - NAMED_FAULTS;
    if (more > 0) this.say(`akin: warning: and ${formatNumberOf(more, 'more damaged place')}`);
  }

  /** Removes the bar. Call it when the build has ended, with success or not. */
  close(): void {
    this.#stopBar();
    this.#stage = null;
  }

  #startBar(total: number | null): void {
    const format = `${this.#stage!.name} ${total === null ? '' : '{bar} {percentage}% '}{status}`;
    this.#bar = new cliProgress.SingleBar({
      stream: this.#stream,
      format,
      barsize: 24,
      barCompleteChar: '#',
      barIncompleteChar: '-',
      clearOnComplete: true,
      hideCursor: true,
      linewrap: true,
      fps: 8,
      gracefulExit: false,
    });
    this.#bar.start(total ?? 1, 0, { status: '' });
  }

  #stopBar(): void {
    this.#bar?.stop();
    this.#bar = null;
  }

  #status(stage: Stage, done: number, total: number | null, now: number): string {
    const show = stage.unit === 'bytes' ? formatSize : formatCount;
    const unit = stage.unit === 'bytes' ? '' : ` ${stage.unit}`;
    const elapsedMs = now - stage.startedAtMs;
    const of = total === null ? '' : ` of ${show(total)}`;
    if (elapsedMs < 500 || done === 0) return `${show(done)}${of}${unit}`;
    const perMs = done / elapsedMs;
    const left = total === null ? '' : `, ${formatDuration(Math.max(0, total - done) / perMs)} left`;
    return `${show(done)}${of}${unit}, ${show(perMs * 1000)}/s${left}`;
  }

  /** A line of its own above the bar. */
  say(text: string): void {
    this.#stream.write(`${this.#bar === null ? '' : '\r\u001b[2K'}${text}\n`);
  }
}
