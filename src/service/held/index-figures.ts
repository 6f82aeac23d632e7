import { Gauge, type Registry } from 'prom-client';
import type { GenerationHolder } from './generation-holder.ts';

/** Gauges of the index that is served, read when they are asked for. */
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
    ['akin_index_swaps', 'New generations taken up since the start.', () => holder.status.swapCount],
    [
      'akin_index_fault',
      '1 while a newer index file cannot be served.',
      () => (holder.status.fault === null ? 0 : 1),
    ],
  ];
  for (const [name, help, read] of figures) {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        if (holder.loaded) this.set(read());
      },
    });
  }
}
