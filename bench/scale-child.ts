/**
 * From synthetic bags to neighbors, clusters and their labels, by the indexer's own stages over a work folder: a process of its own
 * for the bags, and one for all that follows, so that its peak memory is that of the stages.
 */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildOptions } from '../src/cli/build/build-options.ts';
import { loadConfig } from '../src/cli/settings/config.ts';
import { repeatedWords } from '../src/cluster/host-words.ts';
import { labelClusters } from '../src/cluster/label.ts';
import { collectGarbage } from '../src/indexer/files/threads/collect-garbage.ts';
import { WorkFolder } from '../src/indexer/files/work-folder.ts';
import type { BuildOptions } from '../src/indexer/options/build-options.ts';
import { countClusters, findClusters, loadLevels } from '../src/indexer/relate/clusters.ts';
import { findNeighbors } from '../src/indexer/relate/lists/neighbors.ts';
import { BagWriter } from '../src/indexer/weigh/bag-files.ts';
import { openBags } from '../src/indexer/weigh/open-bags.ts';
import { streamBags } from '../test/generated-bags.ts';
import { announce, round } from './bench.ts';
import { forgetPeak, peakMiB } from './peak-memory.ts';

const LABEL_TERMS = 4;

interface ScaleWork {
  readonly pageCount: number;
  readonly threadCount: number;
  readonly memoryBytes: number;
  /** K; the command line's default where it is left out. */
  readonly neighborLimit?: number;
}

export type Phase = 'bags' | 'neighbors' | 'CENTER' | 'topics' | 'labels';

interface PhaseFigures {
  readonly phase: Phase;
  readonly seconds: number;
  readonly cpuUsPerPage: number;
  /** Of the process, since the phase began. */
  readonly peakMiB: number;
}

export interface ScaleFigures {
  readonly pageCount: number;
  readonly neighborLimit: number;
  readonly phases: readonly PhaseFigures[];
  readonly recall: number;
  readonly repetitions: number;
  readonly rounds: number;
  readonly pairCount: number;
  /** Of CENTER, then of topics from fine to broad. */
  readonly clusterCounts: readonly number[];
}

type Order = ScaleWork & { readonly folder: string; readonly part: 'bags' | 'stages' };

/** Runs all phases; what it writes, some 500 bytes a page, is gone afterwards. */
export async function measureScale(work: ScaleWork): Promise<ScaleFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'akin-scale-'));
  const clear = () => rmSync(folder, { recursive: true, force: true });
  const stop = () => process.exit(1);
  process.once('exit', clear).once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const bags = (await inChild({ ...work, folder, part: 'bags' })) as PhaseFigures;
    const figures = (await inChild({ ...work, folder, part: 'stages' })) as ScaleFigures;
    return { ...figures, phases: [bags, ...figures.phases] };
  } finally {
    process.off('exit', clear).off('SIGINT', stop).off('SIGTERM', stop);
    clear();
  }
}

function inChild(order: Order): Promise<unknown> {
  const child = fork(fileURLToPath(import.meta.url));
  // Whoever ends the bench ends the work.
  const end = () => child.kill();
  process.once('exit', end);
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      process.off('exit', end);
      if (code !== 0)
        reject(new Error(`${order.pageCount} pages, ${order.part}: ended with ${code ?? signal}`));
    });
    child.send(order);
  });
}

/** The time and memory of one phase after the other. */
class PhaseClock {
  readonly figures: PhaseFigures[] = [];
  readonly #pageCount: number;
  #startedMs = performance.now();
  #startedCpu = process.cpuUsage();

  constructor(pageCount: number) {
    this.#pageCount = pageCount;
    forgetPeak();
  }

  tell(step: string, facts: Readonly<Record<string, string | number>> = {}): void {
    const residentMiB = Math.round(process.memoryUsage.rss() / 2 ** 20);
    announce({ pages: this.#pageCount, step, ...this.#spent(), residentMiB, ...facts });
  }

  end(phase: Phase): PhaseFigures {
    const { seconds, cpuSeconds } = this.#spent();
    const cpuUsPerPage = round((cpuSeconds * 1e6) / this.#pageCount, 1);
    const figures = { phase, seconds, cpuUsPerPage, peakMiB: peakMiB() };
    this.figures.push(figures);
    announce({ pages: this.#pageCount, ...figures });
    this.#startedMs = performance.now();
    this.#startedCpu = process.cpuUsage();
    forgetPeak();
    return figures;
  }

  #spent() {
    const { user, system } = process.cpuUsage(this.#startedCpu);
    return {
      seconds: round((performance.now() - this.#startedMs) / 1000, 1),
      cpuSeconds: round((user + system) / 1e6, 1),
    };
  }
}

function makeBags(order: Order): PhaseFigures {
  const { pageCount } = order;
  const clock = new PhaseClock(pageCount);
  const { work } = openFolder(order);
  const writer = new BagWriter(work);
  const featureCount = streamBags({ pageCount }, (page, bag) => {
    writer.append(bag.features, bag.weights, bag.size);
    if ((page + 1) % 1_000_000 === 0) clock.tell(`${page + 1} bags`);
  });
  writer.close(featureCount);
  const figures = clock.end('bags');
  // What is not noted as complete, the next process clears away.
  const durationMs = figures.seconds * 1000;
  work.complete({ name: 'bags', recordCount: pageCount, durationMs, processorMs: durationMs }, null);
  work.release();
  return figures;
}

async function runStages(order: Order): Promise<ScaleFigures> {
  const { pageCount } = order;
  const clock = new PhaseClock(pageCount);
  const { work, options } = openFolder(order);
  let repetitions = 0;
  let rounds = 0;
  const found = await findNeighbors(
    work,
    options,
    options,
    () => {},
    (step) => {
      ({ repetitions, rounds } = step);
      clock.tell(step.name, { repetitions, rounds, recall: step.recall ?? '-' });
    },
  );
  collectGarbage(0);
  clock.end('neighbors');
  const clusterCounts = findClusters(work, options, (step) => {
    if (step === 'centers') clock.end('CENTER');
    else clock.tell(step);
  });
  clock.end('topics');
  labelAll(work, options, clusterCounts.length);
  clock.end('labels');
  work.release();
  return {
    pageCount,
    neighborLimit: options.neighborLimit,
    phases: clock.figures,
    recall: round(found.recall, 4),
    repetitions,
    rounds,
    pairCount: found.pairCount,
    clusterCounts,
  };
}

/** Labels of all clusters as features; what these are called is asked of the work folder of a whole build. */
function labelAll(work: WorkFolder, { memoryBytes }: BuildOptions, levelCount: number): void {
  const bags = openBags(work, memoryBytes / 2);
  const wordOf = Uint32Array.from({ length: bags.matrix.featureCount }, (_, feature) => feature);
  const words = repeatedWords(bags.matrix, bags.entries, Uint32Array.of(0));
  for (const centers of loadLevels(work, levelCount)) {
    let labelled = 0;
    for (const [, label] of labelClusters(bags.matrix, centers, wordOf, LABEL_TERMS, words, bags.entries)) {
      assert.ok(label.length > 0);
      labelled++;
    }
    assert.equal(labelled, countClusters(centers));
  }
  bags.close();
}

function openFolder({ folder, threadCount, memoryBytes, neighborLimit }: Order) {
  const { config } = loadConfig({ profile: 'akin' }, {});
  const options: BuildOptions = {
    ...buildOptions([], { to: join(folder, 'scale.akin') }, config),
    workerCount: threadCount,
    memoryBytes,
    ...(neighborLimit === undefined ? {} : { neighborLimit }),
  };
  // A key, so that the second process goes on behind the first.
  return { options, work: WorkFolder.open(options.target, 'scale', 0) };
}

if (process.send !== undefined && import.meta.main) {
  const gone = () => process.exit(1);
  process.once('disconnect', gone);
  process.once('message', async (message) => {
    const order = message as Order;
    process.send!(order.part === 'bags' ? makeBags(order) : await runStages(order));
    process.off('disconnect', gone).disconnect();
  });
}
