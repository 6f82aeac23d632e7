/** What a bench hands to the runner, and how it says that it cannot run here. */

export interface Table {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Rounded where it is measured: a number is printed as it is. */
export type Cell = string | number;

/** A figure that the project has promised; a miss is written down with its reason and fails the run. */
export interface Target {
  readonly figure: string;
  readonly atLeast: number;
  readonly reached: number;
  /** Why it is missed where it is: a miss without a reason is one that was not looked into. */
  readonly ifMissed?: string;
}

export interface BenchResult {
  /** What was worked on: pages, bytes, bytes of the index. */
  readonly corpus: Readonly<Record<string, Cell>>;
  readonly tables: readonly Table[];
  readonly targets?: readonly Target[];
}

export function isMissed({ atLeast, reached }: Target): boolean {
  return reached < atLeast;
}

/** A corpus or a tool is not on this machine: the bench is passed over, by name and with the reason. */
export class BenchSkipped extends Error {
  override readonly name = 'BenchSkipped';
}

/** First thing a bench says. */
export function announce(corpus: BenchResult['corpus']): void {
  const facts = Object.entries(corpus).map(([name, value]) => `${name} ${value}`);
  process.stderr.write(`${facts.join(', ')}\n`);
}

export function round(value: number, digits = 3): number {
  return Number(value.toFixed(digits));
}
