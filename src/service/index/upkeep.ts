import type { ReadyAnswer } from '../schemas/answers/index-answers.ts';

/** What keeps the index fresh, in processes beside the server. */
export interface Upkeep {
  readonly state: NonNullable<ReadyAnswer['crawl']>['state'];
  /** Number of the last sweep, and pages of it so far. */
  readonly sweep: number;
  readonly pageCount: number;
  /** When the next sweep begins; null where none is planned. */
  readonly nextAtMs: number | null;
  /** Figures of the crawl for Prometheus, as it wrote them. */
  readonly metrics: string;
}

export function upkeepAnswer({
  state,
  sweep,
  pageCount,
  nextAtMs,
}: Upkeep): NonNullable<ReadyAnswer['crawl']> {
  const nextAt = nextAtMs === null ? null : new Date(nextAtMs).toISOString();
  return { state, sweep, page_count: pageCount, next_at: nextAt };
}

/** What stands behind the figures of the server. */
export function upkeepMetrics({ metrics, nextAtMs }: Upkeep): string {
  const name = 'akin_crawl_next_timestamp_seconds';
  const next =
    nextAtMs === null
      ? ''
      : `# HELP ${name} When the next sweep begins.\n# TYPE ${name} gauge\n${name} ${nextAtMs / 1000}\n`;
  return `${metrics}${next}`;
}
