/** Results that were measured with another index format or other algorithms than the code has, and the texts that quote them. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Environment, isOfToday, ROOT, versionsOf } from './environment.ts';

/** A text, and how it names a bench whose figures it quotes; docs/evaluation.md has all. */
const QUOTES: readonly (readonly [path: string, name: RegExp])[] = [
  ['README.md', /\| `([\w-]+)`, \d{4}-/g],
  ['bench/story.md', /\{\{([\w-]+) >/g],
];

interface StaleResult {
  readonly bench: string;
  readonly date: string;
  /** Of the code that was measured. */
  readonly versions: string;
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
      const environment: Environment = JSON.parse(readFileSync(file, 'utf8')).environment;
      if (isOfToday(environment)) return [];
      const quotedBy = quoted.filter(({ benches }) => benches.has(bench)).map(({ path }) => path);
      return [
        {
          bench,
          date: environment.date,
          versions: versionsOf(environment),
          quotedBy: [...quotedBy, 'docs/evaluation.md'],
        },
      ];
    });
}

/** What README says of its figures; empty where all are of today. */
export function readmeNote(): string {
  const names = staleResults()
    .filter(({ quotedBy }) => quotedBy.includes('README.md'))
    .map(({ bench }) => `\`${bench}\``);
  return names.length === 0 ? '' : `Measured with an older index: ${names.join(', ')}.`;
}

/** A section of docs/evaluation.md; no line where all are of today. */
export function staleSection(): string[] {
  const stale = staleResults();
  if (stale.length === 0) return [];
  return [
    '## Older results',
    '',
    'The code writes another index today, by its format or its algorithms; these benches were not run again since.',
    '',
    '| bench | run on | measured | quoted by |',
    '| --- | --- | --- | --- |',
    ...stale.map(
      ({ bench, date, versions, quotedBy }) =>
        `| ${bench} | ${date} | ${versions} | ${quotedBy.join(', ')} |`,
    ),
    '',
  ];
}
