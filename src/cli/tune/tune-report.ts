import type { Climb, Gain } from '../../evaluate/climb.ts';
import { formatParts, type Part, type PartShares } from '../../features/parts.ts';
import type { MeanInterval } from '../../lib/mean-interval.ts';
import { formatCount, formatDuration, left, renderTable, right } from '../terminal/table.ts';
import type { JudgeName } from './judges.ts';

export interface TuneReport extends Climb<PartShares> {
  readonly index: { readonly path: string; readonly generation: string };
  readonly judge: JudgeName;
  /** Pages with a related page by the judge. */
  readonly judgedPageCount: number;
  /** Those of them whose lists were made; the lists hold no other pages. */
  readonly sampleCount: number;
  readonly seed: number;
  /** Length of the lists that are judged. */
  readonly k: number;
  /** Parts that no page has. */
  readonly missingParts: readonly Part[];
  /** Parts that the index keeps too little for; to try them, build it from its source with a small share of each. */
  readonly partsNotKept: readonly Part[];
  /** Shares as the index has them. */
  readonly start: PartShares;
  /** What the order by votes gains over that by similarity, under these shares. */
  readonly votes: MeanInterval;
  /** What other ways to weigh counts gain, under these shares, on all sampled pages; the profile fixes them. */
  readonly smoothing: readonly { readonly name: string; readonly gain: MeanInterval }[];
  readonly durationMs: number;
}

const JUDGES: Readonly<Record<JudgeName, string>> = {
  labels: 'pages that share a label are related',
  links: 'pages of which one links to the other are related; links to pages of menus left out',
  sections: 'pages of the same folder are related, by their URLs',
};

/** The options to pass, or null where no change is better beyond doubt. */
export function optionsOf({ isBetter, best }: TuneReport): string | null {
  return isBetter ? `--parts ${formatParts(best)}` : null;
}

/** The report for a terminal. */
export function renderTuning(report: TuneReport): string {
  const { k, tunedCount, toldCount } = report;
  const rows = report.changes.map(({ name, tuned, told }) => [
    name,
    signed(tuned),
    signed(told),
    verdict(told),
  ]);
  return [
    verdictOn(report),
    facts(report)
      .map(([name, value]) => `${name.padEnd(12)}${value}`)
      .join('\n'),
    `What each change alone gains in P@${k}\n${renderTable(
      [
        left('Change'),
        right(`on the ${formatCount(tunedCount)} tuned on`),
        right(`on the ${formatCount(toldCount)} told`),
        left(''),
      ],
      rows,
    )}`,
    NOTES.map((note) => `- ${note}`).join('\n'),
  ].join('\n\n');
}

const NOTES = [
  'P@k is the share of related pages among the first k of a list. Lists hold judged pages of the sample alone.',
  'After ± stands half the interval of 95 %, of the differences page by page.',
  'Changes are chosen on one half of the pages and told on the other. Of many single changes one in twenty or so leaves ' +
    'its interval by chance: trust the line at the top, which is told once.',
  'A judge rewards what it sees. Sections and folders reward the frame of a site, and with it parts by links; labels of ' +
    'subjects say more.',
];

function verdictOn(report: TuneReport): string {
  const { isBetter, before, after, gain, k, toldCount, steps, judge, index } = report;
  if (!isBetter) {
    const tried =
      steps.length === 0
        ? 'on the half that is tuned on none gains'
        : `${steps.join(', ')} gained there, and ${signed(gain.told)} on the half that is told`;
    return `No change is better beyond doubt and by enough to matter, as ${judge} judge: ${tried}. Keep the shares as they are.`;
  }
  return (
    `As ${judge} judge, P@${k} goes from ${before.toFixed(3)} to ${after.toFixed(3)} (${signed(gain.told)}) on ` +
    `${formatCount(toldCount)} pages that had no part in the choice, with:\n  ` +
    `akin index ${index.path} --to NEW.akin ${optionsOf(report)}`
  );
}

function facts(report: TuneReport): [string, string][] {
  const {
    smoothing,
    index,
    judge,
    judgedPageCount,
    sampleCount,
    seed,
    start,
    steps,
    missingParts,
    partsNotKept,
    votes,
    durationMs,
  } = report;
  return [
    ['index', `${index.path}, generation ${index.generation}`],
    ['judge', `${judge}: ${JUDGES[judge]}`],
    [
      'pages',
      `${formatCount(sampleCount)} of ${formatCount(judgedPageCount)} judged ones (seed ${seed}), in ${formatDuration(durationMs)}`,
    ],
    ['shares now', formatParts(start)],
    ['steps', steps.length === 0 ? 'none' : steps.join('; ')],
    ...(missingParts.length === 0
      ? []
      : [['no page has', missingParts.join(', ')] satisfies [string, string]]),
    ...(partsNotKept.length === 0
      ? []
      : [
          [
            'not tried',
            `${partsNotKept.join(', ')}: an index built from its source with a share of it tries it`,
          ] satisfies [string, string],
        ]),
    ['votes', `the order by votes gains ${signed(votes)} over the order by similarity`],
    [
      'smoothing',
      `${smoothing.map(({ name, gain }) => `${name} gains ${signed(gain)}`).join('; ')} (no option: the profile fixes them)`,
    ],
  ];
}

function signed({ mean, margin }: MeanInterval): string {
  return `${mean < 0 ? '-' : '+'}${Math.abs(mean).toFixed(4)} ± ${margin.toFixed(4)}`;
}

function verdict({ mean, margin }: Gain['told']): string {
  if (mean > margin) return 'better';
  return mean < -margin ? 'worse' : '';
}
