/** One whole build of synthetic pages in a process of its own: what each stage takes of time and memory. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { BuildListener } from '../src/indexer/files/stage-runner.ts';
import { announce, round } from './bench.ts';
import { type BenchBuild, buildOne } from './build-one.ts';
import { forgetPeak, peakMiB } from './peak-memory.ts';

/** Between two looks at the heap. */
const LOOK_MS = 200;

interface StageFigures {
  readonly stage: string;
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Of the process, since the stage began. */
  readonly peakMiB: number;
  /** The most that was seen of the main thread's own heap. */
  readonly heapMiB: number;
}

export interface BuildFigures {
  readonly pageCount: number;
  readonly aliasCount: number;
  readonly indexBytes: number;
  readonly stages: readonly StageFigures[];
}

export function measureBuild(build: BenchBuild): Promise<BuildFigures> {
  const child = fork(fileURLToPath(import.meta.url));
  const end = () => child.kill();
  process.once('exit', end);
  return new Promise((resolve, reject) => {
    child.once('message', (figures) => resolve(figures as BuildFigures));
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      process.off('exit', end);
      if (code !== 0) reject(new Error(`${build.target}: ended with ${code ?? signal}`));
    });
    child.send(build);
  });
}

async function measure(build: BenchBuild): Promise<BuildFigures> {
  const stages: StageFigures[] = [];
  let startedCpu = process.cpuUsage();
  let heapBytes = 0;
  const look = () => {
    heapBytes = Math.max(heapBytes, process.memoryUsage().heapUsed);
  };
  const listener: BuildListener = {
    stageStarted() {
      forgetPeak();
      heapBytes = 0;
      startedCpu = process.cpuUsage();
    },
    stageProgress: look,
    stageEnded({ name, durationMs }) {
      look();
      const { user, system } = process.cpuUsage(startedCpu);
      const figures = {
        stage: name,
        seconds: round(durationMs / 1000, 1),
        cpuSeconds: round((user + system) / 1e6, 1),
        peakMiB: peakMiB(),
        heapMiB: Math.round(heapBytes / 2 ** 20),
      };
      stages.push(figures);
      announce({ ...figures });
    },
    fault() {},
  };
  const timer = setInterval(look, LOOK_MS);
  const { pageCount, aliasCount, indexBytes } = await buildOne(build, listener);
  clearInterval(timer);
  return { pageCount, aliasCount, indexBytes, stages };
}

if (process.send !== undefined && import.meta.main) {
  process.once('message', async (build) => {
    process.send!(await measure(build as BenchBuild));
    process.disconnect();
  });
}
