/** Time as the drivers of this folder measure it. */
import type { PeerSetting } from './drivers.ts';

const REPEATS = 3;

type BuildTimes = Required<Pick<PeerSetting, 'indexSeconds' | 'indexCpuSeconds'>>;

/** Median time of three builds, of wall and of processor. */
export async function building(build: () => unknown): Promise<BuildTimes> {
  const wall: number[] = [];
  const cpu: number[] = [];
  for (let i = 0; i < REPEATS; i++) {
    const startedMs = performance.now();
    const startedCpu = process.cpuUsage();
    await build();
    const spent = process.cpuUsage(startedCpu);
    wall.push((performance.now() - startedMs) / 1000);
    cpu.push((spent.user + spent.system) / 1e6);
  }
  return { indexSeconds: median(wall), indexCpuSeconds: median(cpu) };
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}

/** The second pass counts: the first warms the compiler up. */
export async function ask(
  queries: readonly number[],
  answer: (page: number) => number[] | Promise<number[]>,
): Promise<Pick<PeerSetting, 'queryMs' | 'answers'>> {
  let queryMs: number[] = [];
  let answers: number[][] = [];
  for (let pass = 0; pass < 2; pass++) {
    queryMs = [];
    answers = [];
    for (const page of queries) {
      const startedMs = performance.now();
      const ids = await answer(page);
      queryMs.push(performance.now() - startedMs);
      answers.push(ids);
    }
  }
  return { queryMs, answers };
}
