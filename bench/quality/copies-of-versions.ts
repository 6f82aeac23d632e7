import assert from 'node:assert/strict';
import { checkPairs } from '../../src/join/copies/pair-checks.ts';
import { DEFAULT_SHINGLE_JOIN } from '../../src/join/copies/sketch-comparison.ts';
import { decodeBody } from '../../src/page/decode.ts';
import { type Estimate, overlapOf, resemblance } from '../../src/sketch/resemblance.ts';
import {
  DEFAULT_SKETCH,
  type ShingleSketch,
  type SketchOptions,
  sketchText,
} from '../../src/sketch/shingle-sketch.ts';
import { tableOf } from '../../src/sketch/sketch-table.ts';
import { BRODER1997_SKETCH, WHOLE_SKETCH } from '../../test/sketch/sketch-options.ts';
import { round, type Table } from '../bench.ts';
import { readTsv, unpacked } from '../corpora/data.ts';
import { tarFiles } from '../corpora/tar.ts';
import { pageText } from './page-text.ts';

const SETTINGS: [string, SketchOptions][] = [
  ['default', DEFAULT_SKETCH],
  ['minimum 200', { ...DEFAULT_SKETCH, minimum: 200 }],
  ['as printed, mod 25', BRODER1997_SKETCH],
  ['default, w = 5', { ...DEFAULT_SKETCH, shingleSize: 5 }],
];

export async function versionTables(): Promise<Table[]> {
  return [await estimates(), ...(await versionsAndTranslations())];
}

/** Estimates against exact figures over the yearly versions of a manual. */
async function estimates(): Promise<Table> {
  const byPath = await textsOf('httpd-docs/history/html.tar.zst');
  const texts = new Map(
    readTsv('httpd-docs/history/pages.tsv', ['url', 'year', 'path']).map((row) => [
      `${row.year} ${row.url}`,
      byPath.get(row.path)!,
    ]),
  );
  const changes = readTsv('httpd-docs/history/changes.tsv', ['url', 'year_a', 'year_b']);
  const rows = SETTINGS.map(([name, options]) => {
    const sketched = cachedSketches(texts, options);
    const whole = cachedSketches(texts, { ...WHOLE_SKETCH, shingleSize: options.shingleSize });
    const within = [0, 0, 0];
    let squares = 0;
    let bias = 0;
    let errors = 0;
    for (const change of changes) {
      const [a, b] = [`${change.year_a} ${change.url}`, `${change.year_b} ${change.url}`];
      const estimate: Estimate = resemblance(overlapOf(sketched(a), sketched(b)));
      const off = estimate.value - resemblance(overlapOf(whole(a), whole(b))).value;
      squares += off * off;
      bias += off;
      errors += estimate.standardError;
      for (let k = 0; k < 3; k++) if (Math.abs(off) <= (k + 1) * estimate.standardError + 1e-9) within[k]!++;
    }
    const n = changes.length;
    assert.ok(within[2]! / n > 0.98, 'the standard error is honest');
    return [
      name,
      n,
      round(Math.sqrt(squares / n), 4),
      round(bias / n, 5),
      round(errors / n, 4),
      ...within.map((count) => round(count / n, 4)),
    ];
  });
  return {
    caption: 'httpd-docs/history: estimated resemblance against the exact one',
    columns: [
      'sketch',
      'pairs',
      'RMS error',
      'bias',
      'mean standard error',
      'within 1',
      'within 2',
      'within 3',
    ],
    rows,
  };
}

async function versionsAndTranslations(): Promise<Table[]> {
  const byPath = await textsOf('httpd-docs/html.tar.zst');
  const pages = readTsv('httpd-docs/pages.tsv', ['url', 'path', 'lang']);
  const texts = new Map(pages.map((row) => [row.url, byPath.get(row.path)!]));
  const languages = [...new Set(pages.map((row) => row.lang))];
  const languageOf = new Map(pages.map((row) => [row.url, 1 + languages.indexOf(row.lang)]));
  const versions = readTsv('httpd-docs/same_page_versions.tsv', ['url_a', 'url_b', 'jaccard5']);
  const translations = readTsv('httpd-docs/translations.tsv', ['url_en', 'url_other']);
  const rows = [...SETTINGS, ['whole, w = 5', { ...WHOLE_SKETCH, shingleSize: 5 }] as const].map(
    ([name, options]) => {
      const sketchOf = cachedSketches(texts, options);
      const estimated = versions.map(
        (row) => resemblance(overlapOf(sketchOf(row.url_a), sketchOf(row.url_b))).value,
      );
      const exact = versions.map((row) => Number(row.jaccard5));
      const alike = translations.filter(
        (row) => resemblance(overlapOf(sketchOf(row.url_en), sketchOf(row.url_other))).value >= 0.5,
      );
      const urls = [...alike.map((row) => row.url_en), ...alike.map((row) => row.url_other)];
      const facts = {
        siteOfPage: new Uint32Array(urls.length),
        languageOfPage: Uint32Array.from(urls, (url) => languageOf.get(url)!),
      };
      const checks = { ...DEFAULT_SHINGLE_JOIN, sameSiteAgreement: 0, sure: 1 };
      const { report } = checkPairs(tableOf(urls.map(sketchOf)), pairsOf(alike.length), null, facts, checks);
      return [
        name,
        versions.length,
        round(rankCorrelation(estimated, exact), 4),
        translations.length,
        alike.length,
        report.sameSiteCount,
      ];
    },
  );
  return [
    {
      caption:
        'httpd-docs: versions of a page ranked by resemblance, and translations that pass for copies at .5',
      columns: ['sketch', 'version pairs', 'Spearman', 'translations', 'at .5', 'left by the language check'],
      rows,
    },
  ];
}

function pairsOf(count: number) {
  const a = Uint32Array.from({ length: count }, (_, i) => i);
  return { a, b: a.map((i) => i + count), shared: a, ofA: a, ofB: a };
}

async function textsOf(archive: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for await (const { path, body } of tarFiles(unpacked(archive))) {
    if (path.endsWith('.html') || path.includes('.html.')) {
      texts.set(path, pageText(decodeBody(body, null)?.text ?? '', `http://httpd.example/${path}`));
    }
  }
  return texts;
}

function cachedSketches(texts: ReadonlyMap<string, string>, options: SketchOptions) {
  const known = new Map<string, ShingleSketch>();
  return (key: string): ShingleSketch => {
    const sketch = known.get(key) ?? sketchText(texts.get(key) ?? '', options);
    known.set(key, sketch);
    return sketch;
  };
}

function rankCorrelation(x: readonly number[], y: readonly number[]): number {
  const [a, b] = [ranks(x), ranks(y)];
  const middle = (x.length - 1) / 2;
  let both = 0;
  let left = 0;
  let right = 0;
  for (let i = 0; i < a.length; i++) {
    both += (a[i]! - middle) * (b[i]! - middle);
    left += (a[i]! - middle) ** 2;
    right += (b[i]! - middle) ** 2;
  }
  return both / Math.sqrt(left * right);
}

/** Ranks from 0; equal values share their mean rank. */
function ranks(values: readonly number[]): number[] {
  const order = values.map((_, i) => i).sort((i, j) => values[i]! - values[j]!);
  const found = new Array<number>(values.length);
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to < order.length && values[order[to]!] === values[order[from]!]) to++;
    for (let i = from; i < to; i++) found[order[i]!] = (from + to - 1) / 2;
    from = to;
  }
  return found;
}
