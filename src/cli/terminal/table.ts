/** Plain tables and figures for people. Columns are as wide as their widest cell, two spaces apart. */

export interface Column {
  readonly title: string;
  readonly align: 'left' | 'right';
}

export const left = (title: string): Column => ({ title, align: 'left' });
export const right = (title: string): Column => ({ title, align: 'right' });

/** One line a row under one line of titles; no trailing spaces. */
export function renderTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map(({ title }, i) =>
    rows.reduce((widest, row) => Math.max(widest, [...(row[i] ?? '')].length), [...title].length),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => {
        const padding = ' '.repeat(widths[i]! - [...cell].length);
        return columns[i]?.align === 'right' ? padding + cell : cell + padding;
      })
      .join('  ')
      .trimEnd();
  return [line(columns.map(({ title }) => title)), ...rows.map(line)].join('\n');
}

/** `1 page`, `1,265 pages`. */
export function formatNumberOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

const COUNTS = new Intl.NumberFormat('en-US');

/** 1265 is `1,265`, in every locale. */
export function formatCount(count: number): string {
  return COUNTS.format(Math.round(count));
}

/** `3 duplicate, 1 empty`, of names that were counted, behind `before`; '' where there are none. */
export function formatCounts(counts: Readonly<Partial<Record<string, number>>>, before = ''): string {
  const named = Object.entries(counts).filter(([, count = 0]) => count > 0);
  const texts = named.map(([name, count]) => `${formatCount(count!)} ${name}`);
  return texts.length === 0 ? '' : before + texts.join(', ');
}

/** `812 B`, `3.4 MB`: powers of 1000, as for disks and networks. */
export function formatSize(sizeBytes: number): string {
  let value = sizeBytes;
  for (const unit of ['B', 'kB', 'MB', 'GB']) {
    if (value < 1000) return unit === 'B' ? `${Math.round(value)} B` : `${value.toFixed(1)} ${unit}`;
    value /= 1000;
  }
  return `${value.toFixed(1)} TB`;
}

/** `0.4 s`, `12.0 s`, `3 min 05 s`, `2 h 03 min`. */
export function formatDuration(durationMs: number): string {
  const seconds = durationMs / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const pad = (value: number) => String(value).padStart(2, '0');
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${pad(whole % 60)} s`;
  return `${Math.floor(whole / 3600)} h ${pad(Math.floor((whole % 3600) / 60))} min`;
}
