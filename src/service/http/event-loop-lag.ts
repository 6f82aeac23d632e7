import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { Gauge, type Registry } from 'prom-client';

type Delays = ReturnType<typeof monitorEventLoopDelay>;

const RESOLUTION_MS = 10;

const FIGURES: [name: string, what: string, readNs: (delays: Delays) => number][] = [
  ['min', 'least', ({ min }) => min],
  ['max', 'greatest', ({ max }) => max],
  ['mean', 'mean', ({ mean }) => mean],
  ['stddev', 'standard deviation of the', ({ stddev }) => stddev],
  ['p50', '50th percentile of the', (delays) => delays.percentile(50)],
  ['p90', '90th percentile of the', (delays) => delays.percentile(90)],
  ['p99', '99th percentile of the', (delays) => delays.percentile(99)],
];

/**
 * Takes the place of the default gauges of these names, which are no numbers where nothing was sampled since the last
 * scrape: then the last figures stand.
 */
export function measureEventLoopLag(app: FastifyInstance, registry: Registry): void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  app.addHook('onClose', () => {
    delays.disable();
  });
  const takeUp = () => {
    if (delays.count === 0) return;
    for (const [i, [, , readNs]] of FIGURES.entries()) gauges[i]!.set(readNs(delays) / 1e9);
    delays.reset();
  };
  const gauges = FIGURES.map(([figure, what], i) => {
    const name = `nodejs_eventloop_lag_${figure}_seconds`;
    const help = `The ${what} delay of the event loop since the last scrape that found any.`;
    registry.removeSingleMetric(name);
    return new Gauge({ name, help, registers: [registry], ...(i === 0 && { collect: takeUp }) });
  });
}
