/** Archives of real crawls, counted against their description and against warcio. */

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { AsyncIterReader, WARCParser } from 'warcio';
import { longTest } from '../long-test.ts';
import { type ReadOutcome, readFile } from './archive-bytes.ts';

const DATA = join(import.meta.dirname, '../../../shared/data');
const SAMPLES = join(DATA, 'warc-samples');
const samples = { skip: existsSync(SAMPLES) ? false : `no archives in ${SAMPLES}` };
const MANUALS = join(DATA, 'manuals/demo.warc.gz');

const outcomes = new Map<string, Promise<ReadOutcome>>();

/** What an archive holds; read once. */
function outcomeOf(name: string): Promise<ReadOutcome> {
  const reading = outcomes.get(name) ?? readFile(join(SAMPLES, name), { maxPageBytes: 10_000_000 });
  outcomes.set(name, reading);
  return reading;
}

function tally({ items }: ReadOutcome): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) {
    const key =
      item.kind === 'capture' ? String(item.status) : item.status ? `status ${item.status}` : item.reason;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

longTest(
  'a Heritrix crawl has 214 responses of 200, 40 of 404 and 7 redirects, as WARC and as ARC',
  samples,
  async () => {
    // 33 of those of 200 are robots.txt, one of them empty.
    const expected = { '200': 97, media_type: 117, '301': 2, '302': 5, 'status 404': 40 };
    const warc = await outcomeOf('aut/example.warc.gz');
    const arc = await outcomeOf('aut/example.arc.gz');
    assert.deepEqual(tally(warc), expected);
    assert.deepEqual(tally(arc), expected);
    const byUrl = (outcome: ReadOutcome) =>
      new Map(outcome.captures.map((capture) => [capture.url, Buffer.from(capture.body)]));
    assert.deepEqual(byUrl(warc), byUrl(arc));
  },
);

test('the small archives come to what is in them', samples, async () => {
  const expected: Record<string, Record<string, number>> = {
    'aut/issue-493.warc': { '200': 4, '301': 1, media_type: 5, revisit: 5 },
    'aut/issue-514.warc': { '200': 1, '307': 1 },
    'aut/badexample.arc.gz': { media_type: 1, unreadable: 1, truncated: 1 },
    'pywb/bad.arc': { unreadable: 4 },
    'pywb/dupes.warc.gz': { '200': 1, '302': 1, media_type: 1, revisit: 9 },
    'pywb/example-bad.warc.gz.bad': { '200': 1, '302': 1, revisit: 1 },
    'pywb/example-url-agnostic-revisit.warc.gz': { '301': 1 },
    'pywb/example-wget-1-14.warc.gz': { '200': 1 },
    'pywb/example-wpull.warc.gz': { '200': 1 },
    'pywb/example.arc': { '200': 1 },
    'pywb/example.arc.gz': { '200': 1 },
    'pywb/httpbin-resource.warc.gz': { media_type: 1 },
    'pywb/iana.warc.gz': { '200': 16, '302': 4, media_type: 28, revisit: 123 },
    'pywb/missing-status-text.warc': { '302': 1 },
  };
  for (const [name, counts] of Object.entries(expected)) {
    assert.deepEqual(tally(await outcomeOf(name)), counts, name);
  }
});

test('every page that warcio reads is read here, byte for byte', samples, async () => {
  const names = ['aut', 'pywb'].flatMap((folder) =>
    readdirSync(join(SAMPLES, folder)).map((name) => join(folder, name)),
  );
  let pages = 0;
  for (const name of names.filter((path) => /\.warc(\.gz)?$/.test(path))) {
    const { captures } = await outcomeOf(name);
    const theirs: [string, Buffer][] = [];
    // Decompressed beforehand, and without its own HTTP parsing, which reads over the end of dns: records.
    const bytes = readFileSync(join(SAMPLES, name));
    const plain = new AsyncIterReader([name.endsWith('.gz') ? gunzipSync(bytes) : bytes], null);
    for await (const record of new WARCParser(plain, { parseHttp: false })) {
      const raw = Buffer.from(await record.readFully(false));
      if (record.warcType === 'response' && /^HTTP\/\S+ 200/.test(raw.toString('latin1', 0, 20))) {
        theirs.push([record.warcTargetURI ?? '', raw]);
      }
    }
    const raws = new Map(theirs);
    for (const capture of captures.filter(({ status }) => status === 200)) {
      const raw = raws.get(capture.url);
      if (raw === undefined) continue;
      pages++;
      const isEncoded = /^(content|transfer)-encoding:/im.test(raw.toString('latin1', 0, 2000));
      if (!isEncoded)
        assert.ok(raw.subarray(raw.length - capture.body.length).equals(capture.body), capture.url);
    }
  }
  assert.equal(pages, 127);
});

longTest(
  'the manuals are 1,265 pages, in one gzip member each',
  {
    skip: existsSync(MANUALS) ? false : `no ${MANUALS}`,
  },
  async () => {
    const outcome = await readFile(MANUALS, { maxPageBytes: 10_000_000 });
    assert.deepEqual(tally(outcome), { '200': 1265 });
    assert.equal(new Set(outcome.captures.map((capture) => capture.url)).size, 1265);
  },
);
