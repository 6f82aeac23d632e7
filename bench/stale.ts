/** Results that were measured with another index format than the code writes, and the texts that quote them. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { FORMAT_VERSION } from '../src/store/database.ts';
import { type Environment, ROOT } from './environment.ts';

/** A text, and how it names a bench whose figures it quotes; docs/evaluation.md has all. */
const QUOTES: readonly (readonly [path: string, name: RegExp])[] = [
  ['README.md', /\| `([\w-]+)`, \d{4}-/g],
  ['bench/story.md', /\{\{([\w-]+) >/g],
];

interface StaleResult {
  readonly bench: string;
  readonly date: string;
  /** null where it was not noted yet. */
  readonly indexFormat: number | null;
  readonly quotedBy: readonly string[];
}

export function staleResults(): StaleResult[] {
  const quoted = QUOTES.map(([path, name]) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return { path, benches: new Set(Array.from(text.matchAll(name), ([, bench]) => bench!)) };
  });
  return globSync(join(ROOT, 'bench', 'results', '*.json'))
    .sort()
    .flatMap((file) => {
      const bench = basename(file, '.json');
      const { date, indexFormat }: Environment = JSON.parse(readFileSync(file, 'utf8')).environment;
      if (indexFormat === FORMAT_VERSION) return [];
      const quotedBy = quoted.filter(({ benches }) => benches.has(bench)).map(({ path }) => path);
      return [
        { bench, date, indexFormat: indexFormat ?? null, quotedBy: [...quotedBy, 'docs/evaluation.md'] },
      ];
    });
}

/** What README says of its figures; empty where all are of today's format. */
export function readmeNote(): string {
  const names = staleResults()
    .filter(({ quotedBy }) => quotedBy.includes('README.md'))
    .map(({ bench }) => `\`${bench}\``);
  return names.length === 0 ? '' : `Measured with an older index format: ${names.join(', ')}.`;
}

/** A section of docs/evaluation.md; no line where all are of today's format. */
export function staleSection(): string[] {
  const stale = staleResults();
  if (stale.length === 0) return [];
  return [
    '## Older results',
    '',
    'The code writes another index format today; these benches were not run again since.',
    '',
    '| bench | run on | index format | quoted by |',
    '| --- | --- | ---: | --- |',
    ...stale.map(
      ({ bench, date, indexFormat, quotedBy }) =>
        `| ${bench} | ${date} | ${indexFormat ?? 'not noted'} | ${quotedBy.join(', ')} |`,
    ),
    '',
  ];
}
