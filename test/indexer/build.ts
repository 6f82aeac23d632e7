/** Builds an index in a temporary folder and proves it. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { TestContext } from 'node:test';
import { buildIndex } from '../../src/indexer/build-index.ts';
import type { BuildReport } from '../../src/indexer/build-report.ts';
import type { BuildListener } from '../../src/indexer/files/stage-runner.ts';
import { type BuildOptions, defaultShape } from '../../src/indexer/options/build-options.ts';
import type { Fault } from '../../src/sources/record/record.ts';
import type { IndexReader } from '../../src/store/read/reader.ts';
import { builtOnce } from '../built-once.ts';
import { newFolder } from '../new-folder.ts';
import { openProved, openStore, proveStore } from '../store/open-store.ts';
import { type TestPage, toJsonl } from './pages.ts';

export const DEFAULTS: Omit<BuildOptions, 'inputs' | 'target'> = {
  ...defaultShape(),
  sweepName: 'test',
  memoryBytes: 64 << 20,
  workerCount: 1,
  maxPageBytes: 1 << 20,
  neighborLimit: 8,
};

export const PRINTED: Partial<BuildOptions> = { profile: 'haveliwala2000', neighborLimit: 100, floor: 0.2 };

interface Progress {
  readonly name: string;
  readonly resumed: boolean;
  readonly total: number | null;
  readonly steps: [done: number, total: number | null][];
}

interface Noted {
  readonly faults: Fault[];
  readonly stages: Progress[];
}

/** A listener that writes everything down. */
export function noting(): { listener: BuildListener; noted: Noted } {
  const noted: Noted = { faults: [], stages: [] };
  const listener: BuildListener = {
    stageStarted: ({ name, resumed, total }) => noted.stages.push({ name, resumed, total, steps: [] }),
    stageProgress: (done, total) => noted.stages.at(-1)!.steps.push([done, total]),
    stageEnded: () => {},
    fault: (fault) => noted.faults.push(fault),
  };
  return { listener, noted };
}

export function temporaryFolder(t: TestContext): string {
  const folder = newFolder('indexer');
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Built {
  readonly report: BuildReport;
  readonly noted: Noted;
  readonly target: string;
  readonly reader: IndexReader;
}

/** Builds from files that exist; the index is proved when the test ends. */
export async function build(
  t: TestContext,
  options: Partial<BuildOptions> & Pick<BuildOptions, 'inputs'>,
): Promise<Built> {
  const target = options.target ?? join(temporaryFolder(t), 'test.akin');
  const { listener, noted } = noting();
  const report = await buildIndex({ ...DEFAULTS, ...options, target }, listener);
  return { report, noted, target, reader: openStore(t, target) };
}

/** Builds from pages, by way of JSON lines; the same pages under the same options are built and proved once a process. */
export function buildPages(
  t: TestContext,
  pages: readonly TestPage[],
  options: Partial<BuildOptions> = {},
): Promise<Built> {
  return buildInputs(t, { 'pages.jsonl': toJsonl(pages) }, options);
}

/** As `buildPages`, from inputs by their names; with `isSweepEach` as `asSweeps`. */
export async function buildInputs(
  t: TestContext,
  texts: Readonly<Record<string, string>>,
  options: Partial<BuildOptions>,
  isSweepEach = false,
): Promise<Built> {
  const folder = temporaryFolder(t);
  const target = join(folder, 'test.akin');
  const { report, noted } = await builtOnce([texts, options, isSweepEach], target, async (once) => {
    const given = Object.entries(texts).map(([name, text]) => {
      writeFileSync(join(folder, name), text);
      return input(join(folder, name));
    });
    const inputs = isSweepEach ? asSweeps(given) : given;
    const { listener, noted } = noting();
    const report = await buildIndex({ ...DEFAULTS, ...options, inputs, target: once }, listener);
    proveStore(once);
    return { report, noted };
  });
  return { report: { ...report, target }, noted, target, reader: openProved(t, target) };
}

export function input(path: string, baseUrl: string | null = null): BuildOptions['inputs'][number] {
  return { path, baseUrl, format: null };
}

/** Inputs of which each is a sweep of its own, by the name of its file. */
export function asSweeps(inputs: BuildOptions['inputs']): BuildOptions['inputs'] {
  return inputs.map((one) => ({ ...one, sweep: basename(one.path).replace(/(\.jsonl|\.warc(\.gz)?)$/, '') }));
}

/** The page of a URL or alias; fails where there is none. */
export function pageOf(reader: IndexReader, url: string) {
  const id = reader.findPage(url);
  assert.notEqual(id, -1, `${url} is not in the index`);
  return reader.page(id);
}

export function urlsOf(reader: IndexReader): string[] {
  return Array.from(reader.pages(), (page) => page.url);
}
