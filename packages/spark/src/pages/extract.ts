/**
 * The stage `extract`: the captures of input files as records, a file a record.
 *
 *   file ─> captures ─> pages, redirects, ...   a row each, in the order of the file
 *                    ─> links, forms, names     URLs that links lead to, words and own features met; some come twice
 *
 * A file that cannot be read is a row of the kind `file`; what was read of it before counts.
 */

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { formHash } from 'akin-web/rooms/features/feature-hash';
import { unpackFeatures } from 'akin-web/rooms/features/own-features';
import { isGroup, type Part, partNames } from 'akin-web/rooms/features/parts';
import { ByteReader, ByteWriter } from 'akin-web/rooms/indexer/files/records/bytes';
import { extractCaptures } from 'akin-web/rooms/indexer/gather/extract/extract-captures';
import {
  type Outcome,
  type PackedRecords,
  readingSettings,
} from 'akin-web/rooms/indexer/gather/extract/extract-task';
import { RecordOutbox } from 'akin-web/rooms/indexer/gather/extract/record-outbox';
import { FRAGMENT_RECORD, PAGE_RECORD } from 'akin-web/rooms/indexer/gather/records/page-record';
import { KeyTable, key53, key53OfBytes } from 'akin-web/rooms/lib/keys/key-table';
import { NO_MARKS } from 'akin-web/rooms/page/marks/marks';
import { openSource } from 'akin-web/rooms/sources/open-source';
import { goneUrl } from 'akin-web/rooms/sources/record/answers';
import type { Capture, Fault } from 'akin-web/rooms/sources/record/record';
import { UNDATED_MS } from 'akin-web/rooms/store/records';
import { siteOf } from 'akin-web/rooms/url/site';
import type { RowOf } from '../record/columns.ts';
import { defineStage, type StageContext } from '../record/stage.ts';

const MAX_SENT = 1 << 20;

const OUTPUT = {
  /**
   * page, noindex, redirect, gone, skip: one a capture; link, form, name: beside them; features, fields, dates, member, file_url:
   * what was left out of one; file: the end of a file.
   */
  kind: 'text',
  file: 'long',
  sweep: 'int',
  /** Of a capture in its file, from 0. */
  position: 'long?',
  url: 'text?',
  site: 'text?',
  fetched_ms: 'double?',
  /** Where a redirect leads; of a page its canonical URL, where that is another one. */
  to: 'text?',
  to_site: 'text?',
  /** Why a capture is no page, its features could not be used, or a file is no input. */
  reason: 'text?',
  detail: 'text?',
  /** Of a page: as in the local work folder; the anchor windows of its links. */
  record: 'binary?',
  windows: 'binary?',
  body_bytes: 'long?',
  dropped_links: 'long?',
  /** Of a page: which marks it has. */
  has_body: 'boolean?',
  has_ignored: 'boolean?',
  has_weights: 'boolean?',
  /** Of a form: `key53` of its stem; of a link: that of its URL; of a name: its own. */
  key: 'long?',
  /** Of a form; or the name of a feature of one's own, of a group that has a share. */
  stem: 'text?',
  form: 'text?',
  form_hash: 'long?',
} as const;
type OutRow = RowOf<typeof OUTPUT>;

const NONE = Object.fromEntries(Object.keys(OUTPUT).map((name) => [name, null])) as unknown as Omit<
  OutRow,
  'kind' | 'file' | 'sweep'
>;

export const extractStage = defineStage({
  name: 'extract',
  doc: 'the captures of input files: pages with their words and sketches, redirects, what is gone',
  order: null,
  /** `sweep` from 1. */
  input: { file: 'long', path: 'text', sweep: 'int' },
  output: OUTPUT,
  open(context) {
    const { options } = context;
    const outbox = new RecordOutbox({ ...readingSettings(options), bucketCount: 1, indexes: [] });
    const sent = { forms: new SentKeys(), names: new SentKeys() };
    const groups = partNames(options.parts).filter(isGroup);
    return {
      async take({ file, path, sweep }, emit) {
        let position = 0;
        const tell = (row: Partial<OutRow> & Pick<OutRow, 'kind'>) => emit({ ...NONE, file, sweep, ...row });
        try {
          for await (const item of itemsOf(path, context)) {
            const at = position++;
            if (item.kind === 'fault') tell({ position: at, ...rowOfFault(item) });
            else {
              takeCapture(item, { position: at, sweepId: sweep }, outbox, sent.forms, tell);
              tellNames(item.features ?? '', groups, sent.names, tell);
            }
          }
          tell({ kind: 'file', position, detail: path });
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error);
          tell({ kind: 'file', position, reason, detail: path });
        }
      },
    };
  },
});

async function* itemsOf(path: string, { options, found }: StageContext): AsyncIterable<Capture | Fault> {
  const local = path.startsWith('file:') ? fileURLToPath(path.replace(/^file:\/*/, 'file:///')) : path;
  const how = { maxPageBytes: options.maxPageBytes, baseUrl: null };
  if (!/^[a-z][a-z0-9+.-]+:/i.test(local)) {
    yield* (await openSource(local, { ...how, format: null })).items();
    return;
  }
  const cat = found['cat'] as readonly string[] | undefined;
  if (cat === undefined) throw new Error(`${path} is no local file, and no command reads it (found.cat)`);
  const format = /\.(jsonl|ndjson)(\.gz|\.zst|\.bz2)?$/i.test(path) ? 'jsonl' : null;
  yield* (await openSource('-', { ...how, format }, outputOf([...cat, path]))).items();
}

/** Standard output of a command. Errors  where it ends with another code than 0. */
async function* outputOf([command, ...words]: readonly string[]): AsyncGenerator<Uint8Array> {
  const child = spawn(command!, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<string | null>((resolve) => {
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-2000);
    });
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) =>
      resolve(code === 0 ? null : said.trim() || `${command} ended with ${code}`),
    );
  });
  try {
    yield* child.stdout as AsyncIterable<Uint8Array>;
    const fault = await ended;
    if (fault !== null) throw new Error(fault);
  } finally {
    child.kill();
  }
}

function rowOfFault(fault: Fault): Partial<OutRow> & Pick<OutRow, 'kind'> {
  const { reason, detail } = fault;
  const url = goneUrl(fault);
  if (url === null) return { kind: 'skip', url: fault.url, reason, detail };
  return { kind: 'gone', url, site: siteOf(url), fetched_ms: fault.fetchedAtMs ?? UNDATED_MS, reason };
}

function takeCapture(
  capture: Capture,
  { position, sweepId }: { readonly position: number; readonly sweepId: number },
  outbox: RecordOutbox,
  sent: SentKeys,
  tell: (row: Partial<OutRow> & Pick<OutRow, 'kind'>) => void,
): void {
  const { kind: _, body, ...head } = capture;
  const fetchedAtMs = capture.fetchedAtMs ?? UNDATED_MS;
  const one = { ...head, sequence: position, sweepId, fetchedAtMs, start: 0, end: body.length };
  const bodies = body as Uint8Array<ArrayBuffer>;
  const [outcome] = extractCaptures({ what: 'captures', captures: [one], bodies }, outbox);
  const { records, forms, linkUrls } = outbox.take();
  tell({ position, ...rowOfOutcome(outcome!), ...pageColumns(records) });
  for (const [kind, reason] of leftOut(outcome!)) tell({ kind, position, url: outcome!.url, reason });
  for (const record of recordsOf(linkUrls)) {
    const url = new ByteReader(record).ascii();
    tell({ kind: 'link', url, key: key53(url) });
  }
  for (const record of recordsOf(forms)) {
    if (sent.isKnown(key53OfBytes(record, 0, record.length))) continue;
    const from = new ByteReader(record);
    const stem = from.text();
    const form = from.text();
    tell({ kind: 'form', key: key53(stem), stem, form, form_hash: formHash(form) });
  }
}

/** What a job does not take of a capture, and what is wrong with it; other URLs of a page become no aliases. */
function leftOut({ badFeatures, badFields, badDates, unknownMembers = [], names = [] }: Outcome) {
  const of = (kind: string, ...faults: readonly (string | null | undefined)[]) =>
    faults.flatMap((fault) => (fault ? [[kind, fault] as const] : []));
  return [
    ...of('features', badFeatures),
    ...of('fields', badFields),
    ...of('dates', badDates),
    ...of('member', ...unknownMembers),
    ...of('file_url', names.join(' ')),
  ];
}

function rowOfOutcome({ kind, url, to, fetchedAtMs, reason, detail, ...page }: Outcome) {
  if (kind === 'skip') return { kind, url, reason: reason!, detail: detail ?? null };
  return {
    kind,
    url,
    site: siteOf(url),
    fetched_ms: fetchedAtMs,
    to: to ?? null,
    to_site: to ? siteOf(to) : null,
    body_bytes: page.bodyBytes ?? null,
    dropped_links: page.droppedLinkCount ?? null,
    ...(kind === 'page' ? columnsOfMarks(page.marks) : {}),
  };
}

function columnsOfMarks({ hasBody, hasIgnored, hasWeights } = NO_MARKS) {
  return { has_body: hasBody, has_ignored: hasIgnored, has_weights: hasWeights };
}

/** The names of the features of their owner's that a page has in these groups. */
function tellNames(
  features: string,
  groups: readonly Part[],
  sent: SentKeys,
  tell: (row: Partial<OutRow> & Pick<OutRow, 'kind'>) => void,
): void {
  if (features === '' || groups.length === 0) return;
  const own = unpackFeatures(features);
  for (const name of groups.flatMap((group) => Object.keys(own[group] ?? {}))) {
    const key = key53(name);
    if (!sent.isKnown(key)) tell({ kind: 'name', key, stem: name });
  }
}

/** Forms or names that a task has sent: most words of a page were on another one. Some 24 bytes each. */
class SentKeys {
  #keys = new KeyTable();

  /** Whether it was asked for before. */
  isKnown(key: number): boolean {
    if (this.#keys.has(key)) return true;
    if (this.#keys.size === MAX_SENT) this.#keys = new KeyTable();
    this.#keys.set(key, 1);
    return false;
  }
}

const out = new ByteWriter();

/** The record of a page, and its windows as fragment records, each behind its length. */
function pageColumns(records: PackedRecords): Pick<OutRow, 'record' | 'windows'> | null {
  let page: Uint8Array | null = null;
  out.clear();
  for (const record of recordsOf(records)) {
    if (record[0] === PAGE_RECORD) page = record;
    if (record[0] !== FRAGMENT_RECORD) continue;
    out.varint(record.length);
    out.raw(record);
  }
  return page === null ? null : { record: page, windows: out.view() };
}

function* recordsOf({ bytes, ends }: PackedRecords): IterableIterator<Uint8Array> {
  for (let i = 0; i < ends.length; i++) yield bytes.subarray(i === 0 ? 0 : ends[i - 1]!, ends[i]!);
}
