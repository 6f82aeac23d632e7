/** A process of its own for one build, so that its peak memory is the build's. Takes one BenchBuild, answers its report. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { BuildReport } from '../src/indexer/build-report.ts';
import { type BenchBuild, buildAside } from './build-one.ts';

export function buildInChild(build: BenchBuild): Promise<BuildReport> {
  return buildIn(build, process.execPath, []);
}

/** The same on one processor of the machine. */
export function buildOnOneProcessor(build: BenchBuild): Promise<BuildReport> {
  return buildIn({ ...build, workerCount: 1 }, 'taskset', ['--cpu-list', '0', process.execPath]);
}

function buildIn(build: BenchBuild, execPath: string, execArgv: string[]): Promise<BuildReport> {
  const child = fork(fileURLToPath(import.meta.url), {
    execPath,
    execArgv: [...execArgv, ...process.execArgv],
  });
  return new Promise((resolve, reject) => {
    child.once('message', (report) => resolve(report as BuildReport));
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code !== 0) reject(new Error(`the build ended with exit code ${code}`));
    });
    child.send(build, (error) => {
      if (error !== null) reject(error);
    });
  });
}

if (process.send !== undefined && import.meta.main) {
  process.once('message', async (build) => {
    process.send!(await buildAside(build as BenchBuild));
    process.disconnect();
  });
}
