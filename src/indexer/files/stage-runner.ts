import type { Fault } from '../../sources/record/record.ts';
import type { StageRecord } from '../../store/records.ts';
import type { Resources } from './budget.ts';
import { collectGarbage } from './threads/collect-garbage.ts';
import type { BuildFiles, WorkFolder } from './work-folder.ts';

/** Is called while a build runs. `total` is null where it cannot be known. */
export interface BuildListener {
  stageStarted(stage: { name: string; unit: string; total: number | null; resumed: boolean }): void;
  stageProgress(done: number, total: number | null): void;
  stageEnded(stage: StageRecord): void;
  fault(fault: Fault): void;
}

/** Begins to measure a stage; returns what gives its times so far. */
export function startTimes(): () => Pick<StageRecord, 'durationMs' | 'processorMs'> {
  const startedAt = performance.now();
  const spentBefore = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(spentBefore);
    return { durationMs: performance.now() - startedAt, processorMs: (user + system) / 1000 };
  };
}

/** The stages of a build: where they work, what they may use, and who hears of them. Runs them in their order. */
export interface Stages<Files extends BuildFiles = BuildFiles> {
  readonly folder: Files;
  readonly resources: Resources;
  readonly listener: BuildListener;
  /** `result` must survive JSON; `recordCount` is what the stage table shows. */
  run<Result>(
    name: string,
    shown: { readonly unit: string; readonly total: number | null },
    work: (progress: (done: number) => void) => Result | Promise<Result>,
    recordCount: (result: Result) => number,
  ): Promise<Result>;
}

/** Runs the stages of a build in order, passing over those that an earlier run has completed. */
export class StageRunner implements Stages<WorkFolder> {
  readonly folder: WorkFolder;
  readonly resources: Resources;
  readonly listener: BuildListener;
  readonly #heldBytes = process.memoryUsage.rss();

  constructor(folder: WorkFolder, resources: Resources, listener: BuildListener) {
    this.folder = folder;
    this.resources = resources;
    this.listener = listener;
  }

  async run<Result>(
    name: string,
    shown: { readonly unit: string; readonly total: number | null },
    work: (progress: (done: number) => void) => Result | Promise<Result>,
    recordCount: (result: Result) => number,
  ): Promise<Result> {
    const resumed = this.folder.isComplete(name);
    this.listener.stageStarted({ name, ...shown, resumed });
    if (resumed) return this.folder.result<Result>(name)!;
    const times = startTimes();
    const result = await work((done) => this.listener.stageProgress(done, shown.total));
    collectGarbage(this.#heldBytes);
    const stage = { name, recordCount: recordCount(result), ...times() };
    this.folder.complete(stage, result);
    this.listener.stageEnded(stage);
    return result;
  }

  isDone(name: string): boolean {
    return this.folder.isComplete(name);
  }

  finished(): StageRecord[] {
    return this.folder.stages();
  }
}
