/** Shows pages that another process of this machine takes: reads its journal, and never writes. */
import { JournalReader } from '../../store/journal/journal-reader.ts';
import { readyPathOf } from '../../store/journal/ready-file.ts';
import type { Generation } from '../index/generation.ts';
import type { GenerationHolder } from '../index/generation-holder.ts';
import { catchUp, type Know } from './catch-up.ts';
import { ReadyReader } from './ready-pages.ts';

/** Time between two looks at the journal: 20 microseconds each. */
const LOOK_MS = 20;

interface FollowerLog {
  error(detail: object, message: string): void;
}

export class Follower {
  readonly #path: string;
  readonly #holder: GenerationHolder;
  readonly #know: Know;
  readonly #log: FollowerLog;
  #journal: JournalReader | null = null;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;
  /** What was said last of a journal that cannot be read. */
  #fault = '';

  constructor(path: string, holder: GenerationHolder, know: Know, log: FollowerLog) {
    this.#path = path;
    this.#holder = holder;
    this.#know = know;
    this.#log = log;
  }

  /** Puts what waits into the index that is served, and into each later one, and goes on with what comes. Errors  as `catchUp`. */
  async start(): Promise<void> {
    const holder = this.#holder;
    holder.complete = (generation, serve) => this.#catchUp(generation, serve);
    await this.#catchUp(holder.current(), () => {});
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
    this.#journal?.close();
  }

  #opened(): JournalReader | null {
    if (this.#journal !== null) return this.#journal;
    this.#journal = JournalReader.read(this.#path);
    if (this.#journal !== null)
      this.#journal.onDamage = ({ error, sequence, url }) =>
        this.#log.error({ err: error, sequence, url }, 'a page that waits is damaged, and passed over');
    return this.#journal;
  }

  async #catchUp(generation: Generation, serve: () => void, given = 0): Promise<void> {
    const journal = this.#opened();
    if (journal === null) return serve();
    const ready = new ReadyReader(readyPathOf(this.#path), journal.id, generation);
    try {
      await catchUp(this.#know, journal, generation, ready, serve, given);
    } finally {
      ready.close();
    }
  }

  #look(): void {
    this.#looking ??= this.#follow()
      .then(() => (this.#fault = ''))
      .catch((error: Error) => {
        if (error.message !== this.#fault) this.#log.error({ err: error }, 'pages that wait cannot be read');
        this.#fault = error.message;
      })
      .then(() => {
        this.#looking = null;
      });
  }

  async #follow(): Promise<void> {
    const holder = this.#holder;
    if (this.#journal?.isInPlace === false) {
      this.#journal.close();
      this.#journal = null;
      await holder.reload();
    }
    const journal = this.#opened();
    if (journal === null || !holder.loaded) return;
    const generation = holder.current();
    const { sequence } = generation.live!.segment;
    if (journal.lastSequence === sequence) return;
    const { forgotten } = journal;
    if (forgotten > sequence) {
      // The holder goes on to look for a file that can be read.
      if (holder.status.fault !== null) return;
      // The first may be a look that began before.
      await holder.check();
      await holder.check();
      // A newer index is complete; else the index that had it is no more, as one was built anew in its place.
      if (holder.status.fault !== null || generation !== holder.current()) return;
    }
    await this.#catchUp(generation, () => {}, forgotten);
  }
}
