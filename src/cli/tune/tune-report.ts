import type { Climb, Gain } from '../../evaluate/climb.ts';
import { formatParts, type Part, type PartShares } from '../../features/parts.ts';
import type { MeanInterval } from '../../lib/intervals/mean-interval.ts';
import type { KernelName } from '../../relations/kernels.ts';
import { formatCount, formatDuration, left, renderTable, right } from '../terminal/table.ts';
import { type JudgeName, MEASURES, type Measure } from './judge.ts';

/** What lists go by. */
export interface TuneSetting {
  readonly parts: PartShares;
  readonly kernel: KernelName;
  readonly meaningShare: number;
  /** '' for those that most pages have. */
  readonly meaningVectors: string;
  readonly lend: number;
}

/** What is gained in hits, on the half that is held out. */
export interface HitGain {
  readonly measure: string;
  readonly gain: MeanInterval;
}

export interface TuneReport extends Climb<TuneSetting> {
  readonly index: { readonly path: string; readonly generation: string };
  readonly judge: JudgeName;
  readonly measure: Measure;
  /** Pages with a right answer by the judge. */
  readonly judgedPageCount: number;
  /** Those of them that were asked for. */
  readonly queryCount: number;
  /** Pages that the lists hold. */
  readonly sampleCount: number;
  /** Those of them that are known by links alone. */
  readonly unreadCount: number;
  readonly seed: number;
  /** Parts that no page has. */
  readonly missingParts: readonly Part[];
  /** Parts that the index keeps too little for; to try them, build it from its source with a small share of each. */
  readonly partsNotKept: readonly Part[];
  /** As the index has it. */
  readonly start: TuneSetting;
  /** What changes of what the profile fixes gain under these shares. */
  readonly fixed: readonly Gain[];
  /** What other judges of the collection say of all steps together, on all their pages in the sample; those that have enough there. */
  readonly seconds: readonly {
    readonly judge: JudgeName;
    readonly measure: Measure;
    readonly gain: MeanInterval;
  }[];
  /** Where precision is judged: what all steps together gain in hits, and the other kernel alone; nothing where the lists go by more than a kernel. */
  readonly hits: readonly HitGain[];
  readonly kernelHits: readonly HitGain[];
  /** Whether the held-out half shows the gain, it is worth a change, and no other judge and no hits find it worse beyond doubt. */
  readonly isBetter: boolean;
  readonly durationMs: number;
}

const JUDGES: Readonly<Record<JudgeName, string>> = {
  labels: 'pages that share a label are related',
  links: 'pages that are cited together are related; the links of the citing half of the pages are held out',
  sections: 'pages of the same folder are related, by their URLs',
  sweeps: 'an earlier text of a page is to find the page',
};

/** The options to pass, or null where no change is better beyond doubt. */
export function optionsOf({ isBetter, best }: TuneReport): string | null {
  return isBetter ? optionsFor(best) : null;
}

function optionsFor({ parts, kernel, meaningShare: share, meaningVectors: name, lend }: TuneSetting): string {
  const meaning =
    share === 0 ? '' : ` --meaning-share ${share}${name === '' ? '' : ` --meaning-vectors ${name}`}`;
  return `--parts ${formatParts(parts)}${kernel === 'jaccard' ? '' : ` --kernel ${kernel}`}${meaning}${lend === 0 ? '' : ` --lend ${lend}`}`;
}

/** The report for a terminal; `kept` are flags of what the index was built with besides. */
export function renderTuning(report: TuneReport, kept: readonly string[]): string {
  const { measure, tunedCount, heldOutCount, changes, fixed } = report;
  const columns = [
    left('Change'),
    right(`on the ${formatCount(tunedCount)} tuned on`),
    right(`on the ${formatCount(heldOutCount)} held out`),
    left(''),
  ];
  const table = (gains: readonly Gain[]) =>
    renderTable(
      columns,
      gains.map(({ name, tuned, heldOut }) => [name, signed(tuned), signed(heldOut), verdict(heldOut)]),
    );
  return [
    verdictOn(report, kept),
    facts(report)
      .map(([name, value]) => `${name.padEnd(12)}${value}`)
      .join('\n'),
    `What each change of the shares alone gains in ${MEASURES[measure]}\n${table(changes)}`,
    `What else would gain; the profile fixes it, there are no options for it\n${table(fixed)}`,
    NOTES.map((note) => `- ${note}`).join('\n'),
  ].join('\n\n');
}

const NOTES = [
  'P@k is the share of related pages among the first k of a list. Lists hold pages of the sample alone; pages known by ' +
    'links alone are related to none.',
  "After ± stands half the interval of 95 % (Student's t), of the differences page by page.",
  'Changes are chosen on one half of the pages and measured on the other, which is held out. Of many single changes one in twenty or so leaves ' +
    'its interval by chance: trust the line at the top, which is measured once.',
  'A judge rewards what it sees. Sections and folders reward the frame of a site, and with it parts by links; labels of ' +
    'subjects say more.',
];

function verdictOn(report: TuneReport, kept: readonly string[]): string {
  const { isBetter, before, after, gain, measure, heldOutCount, judge, index } = report;
  if (!isBetter) return `${whyNot(report)} Keep the shares as they are.`;
  return (
    `As ${judge} judge, ${MEASURES[measure]} goes from ${before.heldOut.toFixed(3)} to ${after.heldOut.toFixed(3)} ` +
    `(${signed(gain.heldOut)}) on ${formatCount(heldOutCount)} pages that had no part in the choice, with:\n  ` +
    ['akin index', index.path, '--to NEW.akin', optionsOf(report), ...kept].join(' ')
  );
}

function whyNot({ steps, gain, judge, seconds, hits }: TuneReport): string {
  const objecting = seconds.filter((second) => second.gain.mean < -second.gain.margin);
  const fewer = hits.filter((hit) => hit.gain.mean < -hit.gain.margin);
  const chosen = `${steps.join(', ')} gained there, and ${signed(gain.heldOut)} on the held-out half`;
  if (steps.length > 0 && objecting.length > 0) {
    const objections = objecting.map(
      (second) => `as ${second.judge} judge it is worse (${signed(second.gain)})`,
    );
    return `The evidence is not clear. As ${judge} judge, ${chosen}; ${objections.join('; ')}.`;
  }
  if (steps.length > 0 && fewer.length > 0) {
    return `The evidence is not clear. As ${judge} judge, ${chosen}; but ${hitText(fewer)}.`;
  }
  const tried = steps.length === 0 ? 'on the half that is tuned on none gains' : chosen;
  return `No change is better beyond doubt and by enough to matter, as ${judge} judge: ${tried}.`;
}

function facts(report: TuneReport): [string, string][] {
  const { index, judge, judgedPageCount, queryCount, sampleCount, seed, durationMs } = report;
  const { start, steps, missingParts, partsNotKept, seconds, unreadCount, hits, kernelHits } = report;
  const unread = unreadCount === 0 ? '' : `, ${formatCount(unreadCount)} of them known by links alone`;
  return [
    ['index', `${index.path}, generation ${index.generation}`],
    ['judge', `${judge}: ${JUDGES[judge]}`],
    [
      'pages',
      `${formatCount(queryCount)} of ${formatCount(judgedPageCount)} judged ones (seed ${seed}), in lists of ` +
        `${formatCount(sampleCount)} pages${unread}, in ${formatDuration(durationMs)}`,
    ],
    [
      'shares now',
      [
        formatParts(start.parts),
        ...(start.kernel === 'jaccard' ? [] : [`kernel ${start.kernel}`]),
        ...(start.meaningShare === 0 ? [] : [`meaning ${start.meaningShare}`]),
        ...(start.lend === 0 ? [] : [`lend ${start.lend}`]),
      ].join(', '),
    ],
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
    ...(kernelHits.length === 0
      ? []
      : [['kernel', `the other one alone gains ${hitText(kernelHits)}`] satisfies [string, string]]),
    ...(steps.length === 0 || hits.length === 0
      ? []
      : [['hits', `all steps gain ${hitText(hits)}`] satisfies [string, string]]),
    ...(steps.length === 0 ? [] : seconds).map((second): [string, string] => [
      `as ${second.judge}`,
      `all steps gain ${signed(second.gain)} in ${MEASURES[second.measure]}`,
    ]),
  ];
}

function hitText(hits: readonly HitGain[]): string {
  return hits.map(({ measure, gain }) => `${signed(gain)} in ${measure}`).join(', ');
}

function signed({ mean, margin }: MeanInterval): string {
  return `${mean < 0 ? '-' : '+'}${Math.abs(mean).toFixed(4)} ± ${margin.toFixed(4)}`;
}

function verdict({ mean, margin }: MeanInterval): string {
  if (mean > margin) return 'better';
  return mean < -margin ? 'worse' : '';
}
