import type { Fault } from '../../sources/record.ts';
import { collectGarbage } from './collect-garbage.ts';
import type { WorkFolder } from './work-folder.ts';

/** Is called while a build runs. `total` is null where it cannot be known. */
export interface BuildListener {
  stageStarted(stage: { name: string; unit: string; total: number | null; resumed: boolean }): void;
  stageProgress(done: number, total: number | null): void;
  stageEnded(stage: { name: string; recordCount: number; durationMs: number }): void;
  fault(fault: Fault): void;
}

/** Runs the stages of a build in order, passing over those that an earlier run has completed. */
export class StageRunner {
  readonly #folder: WorkFolder;
  readonly #listener: BuildListener;
  readonly #heldBytes = process.memoryUsage.rss();

  constructor(folder: WorkFolder, listener: BuildListener) {
    this.#folder = folder;
    this.#listener = listener;
  }

  /** `result` must survive JSON; `recordCount` is what the stage table shows. */
  async run<Result>(
    name: string,
    shown: { readonly unit: string; readonly total: number | null },
    work: (progress: (done: number) => void) => Result | Promise<Result>,
    recordCount: (result: Result) => number,
  ): Promise<Result> {
    const resumed = this.#folder.isComplete(name);
    this.#listener.stageStarted({ name, ...shown, resumed });
    if (resumed) return this.#folder.result<Result>(name)!;
    const startedAt = performance.now();
    const result = await work((done) => this.#listener.stageProgress(done, shown.total));
    collectGarbage(this.#heldBytes);
    const durationMs = performance.now() - startedAt;
    this.#folder.complete(name, result, recordCount(result), durationMs);
    this.#listener.stageEnded({ name, recordCount: recordCount(result), durationMs });
    return result;
  }

  isDone(name: string): boolean {
    return this.#folder.isComplete(name);
  }

  finished(): { name: string; recordCount: number; durationMs: number }[] {
    return this.#folder.stages();
  }
}
