import { Counter, Gauge, type Registry } from 'prom-client';
import type { GenerationHolder } from './generation-holder.ts';

/** Figures of the index that is served, read when they are asked for. */
export function describeIndex(registry: Registry, holder: GenerationHolder): void {
  const registers = [registry];
  new Gauge({
    name: 'akin_index_info',
    help: 'The generation that is served.',
    labelNames: ['generation', 'akin_version'] as const,
    registers,
    collect() {
      this.reset();
      if (!holder.loaded) return;
      const { generation, akinVersion } = holder.current().card;
      this.set({ generation, akin_version: akinVersion }, 1);
    },
  });
  const figures: [name: string, help: string, read: () => number][] = [
    ['akin_index_pages', 'Pages of the index.', () => holder.current().card.pageCount],
    [
      'akin_index_built_timestamp_seconds',
      'When the index was built.',
      () => holder.current().card.builtAtMs / 1000,
    ],
    ['akin_index_size_bytes', 'Size of the index file.', () => holder.current().card.sizeBytes],
    [
      'akin_index_load_duration_seconds',
      'Time the last load took.',
      () => holder.status.loadDurationMs / 1000,
    ],
    [
      'akin_index_fault',
      '1 while a newer index file cannot be served.',
      () => (holder.status.fault === null ? 0 : 1),
    ],
  ];
  new Counter({
    name: 'akin_index_swaps_total',
    help: 'New generations taken up since the start.',
    registers,
    collect() {
      this.reset();
      this.inc(holder.status.swapCount);
    },
  });
  new Counter({
    name: 'akin_empty_answers_total',
    help: 'Lists of related pages that were made and had nothing to list, by reason.',
    labelNames: ['reason'] as const,
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of Object.entries(holder.emptyAnswers)) this.inc({ reason }, count);
    },
  });
  describeFigures(registry, figures, (read) => (holder.loaded ? read() : null));
}

/** Gauges, each read when it is asked for; null leaves it as it is. */
export function describeFigures<Read>(
  registry: Registry,
  figures: readonly (readonly [name: string, help: string, read: Read])[],
  figureOf: (read: Read) => number | null,
): void {
  for (const [name, help, read] of figures) {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        const value = figureOf(read);
        if (value !== null) this.set(value);
      },
    });
  }
}
