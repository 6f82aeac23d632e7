import { ThreadEndError } from '../../files/threads/thread.ts';
import { extractCaptures, extractLines } from './extract-captures.ts';
import type { ExtractResult, ExtractSettings, ExtractTask } from './extract-task.ts';
import { RecordOutbox } from './record-outbox.ts';
import { StoredIndexes } from './stored-index.ts';

/** Turns a batch of captures into records. The records depend on the batch alone. */
export class Extractor {
  readonly #outbox: RecordOutbox;
  readonly #indexes: StoredIndexes;

  constructor(settings: ExtractSettings) {
    this.#outbox = new RecordOutbox(settings);
    this.#indexes = new StoredIndexes(settings, this.#outbox);
  }

  extract(task: ExtractTask): ExtractResult {
    const isStored = task.what === 'pages' || task.what === 'others';
    const outcomes = this.#outcomes(task);
    return { isStored, outcomes, ...this.#outbox.take() };
  }

  #outcomes(task: ExtractTask): ExtractResult['outcomes'] {
    if (task.what === 'captures') return extractCaptures(task, this.#outbox);
    return task.what === 'lines' ? extractLines(task, this.#outbox) : this.#indexes.read(task);
  }

  close(): void {
    this.#indexes.close();
  }
}

/** Extracts in the calling thread as a pool of threads does: where the stack or an array was at its limit, it starts anew. */
export class OwnThread<Task> {
  readonly #settings: ExtractSettings;
  readonly #pack: (task: Task) => { readonly message: ExtractTask };
  #extractor: Extractor;
  usedCount = 1;

  constructor(settings: ExtractSettings, pack: (task: Task) => { readonly message: ExtractTask }) {
    this.#settings = settings;
    this.#pack = pack;
    this.#extractor = new Extractor(settings);
  }

  async run(task: Task): Promise<ExtractResult> {
    try {
      return this.#extractor.extract(this.#pack(task).message);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#extractor.close();
      this.#extractor = new Extractor(this.#settings);
      throw new ThreadEndError(error, 0, true);
    }
  }

  async close(): Promise<void> {
    this.#extractor.close();
  }
}
