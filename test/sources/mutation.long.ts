/**
 * Twenty thousand pages in archives of which one record in twelve is damaged: bits, cuts, lengths, lines, doubled and
 * exchanged stretches. What goes in is accounted for: a sound record comes out byte for byte, or lies behind damage
 * that is named in its place; a record behind a checksum is never read wrong.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { base32 } from '../../src/lib/base32.ts';
import { Random } from '../../src/lib/random.ts';
import type { SourceItem } from '../../src/sources/record/record.ts';
import { httpResponse, readBytes, warcRecord } from './archive-bytes.ts';

const ARCHIVES = 40;
const PAGES = 500;
const DAMAGED_ONE_IN = 12;
/** Sound records: a length that is no longer true reaches into the next one. */
const MOST_TAKEN_ALONG = (ARCHIVES * PAGES) / DAMAGED_ONE_IN / 4;
/** A digest says nothing of the head of its record: there the URL may be damaged, or the digest itself. */
const MOST_OF_DAMAGED_HEADS = (ARCHIVES * PAGES) / DAMAGED_ONE_IN / 20;
/** Of a record that is cut: the line ends of a whole one are no trace of it. */
const LEAST_LEFT = 5;

const urlOf = (number: number) => `https://example.org/${number}`;
const bodyOf = (number: number) =>
  `<title>Page ${number}</title><p>${`word${number} `.repeat(5 + (number % 60))}`;

type Bytes = Buffer<ArrayBufferLike>;
type Mutation = (record: Bytes, random: Random) => Bytes;

const MUTATIONS: readonly Mutation[] = [
  (record, random) => {
    for (let left = 1 + random.below(4); left > 0; left--) {
      record[random.below(record.length)]! ^= 1 << random.below(8);
    }
    return record;
  },
  (record, random) => record.subarray(0, LEAST_LEFT + random.below(record.length - LEAST_LEFT)),
  (record, random) => record.subarray(random.below(record.length - LEAST_LEFT)),
  (record, random) => {
    const [at, size] = [random.below(record.length), 1 + random.below(40)];
    return Buffer.concat([record.subarray(0, at), record.subarray(at + size)]);
  },
  (record, random) => {
    const [at, noise] = [random.below(record.length), Buffer.alloc(1 + random.below(40), random.below(256))];
    return Buffer.concat([record.subarray(0, at), noise, record.subarray(at)]);
  },
  (record, random) => {
    const at = random.below(record.length);
    return Buffer.concat([record.subarray(0, at), record.subarray(random.below(at + 1))]);
  },
  (record, random) => {
    const [at, size] = [random.below(record.length), 1 + random.below(200)];
    return record.fill(0, at, Math.min(at + size, record.length));
  },
];

interface Archive {
  readonly bytes: Bytes;
  readonly isDamaged: readonly boolean[];
}

function archiveOf(record: (number: number) => Bytes, random: Random): Archive {
  const isDamaged = Array.from({ length: PAGES }, () => random.below(DAMAGED_ONE_IN) === 0);
  const records = isDamaged.map((damaged, number) => {
    const sound = record(number);
    if (!damaged) return sound;
    return MUTATIONS[random.below(MUTATIONS.length)]!(Buffer.from(sound), random);
  });
  return { bytes: Buffer.concat(records), isDamaged };
}

/** The page that an item is, byte for byte; -1 for a fault or what a damaged record has become. */
function soundPage(item: SourceItem): number {
  if (item.kind !== 'capture') return -1;
  const number = Number(/^https:\/\/example\.org\/(\d+)$/.exec(item.url)?.[1] ?? -1);
  return number >= 0 && number < PAGES && Buffer.from(item.body).toString('latin1') === bodyOf(number)
    ? number
    : -1;
}

interface Tally {
  whole: number;
  /** Sound records that damage before them has taken along. */
  takenAlong: number;
  /** Captures of what is no page of the archive. */
  altered: number;
  faults: number;
}

/** Between two sound pages that were not neighbors something must be reported, and something must have been damaged. */
function account({ isDamaged }: Archive, items: readonly SourceItem[], tally: Tally): void {
  let last = -1;
  let reported = 0;
  const gap = (next: number) => {
    const missing = isDamaged.slice(last + 1, next);
    if (missing.length === 0) return;
    assert.ok(reported > 0, `pages ${last + 1} to ${next - 1} are missing, and nothing is said`);
    assert.ok(
      missing[0] === true || isDamaged[last] === true,
      `page ${last + 1} is missing, and neither it nor the one before was damaged`,
    );
    tally.takenAlong += missing.filter((damaged) => !damaged).length;
  };
  for (const item of items) {
    const page = soundPage(item);
    if (page > last) {
      gap(page);
      tally.whole++;
      last = page;
      reported = 0;
      continue;
    }
    reported++;
    if (item.kind === 'fault') tally.faults++;
    // A stretch that is there twice gives its page twice.
    else if (page < 0) tally.altered++;
  }
  gap(PAGES);
}

async function readMutated(t: TestContext, record: (number: number) => Bytes, name: string): Promise<Tally> {
  const random = new Random(7);
  const tally = { whole: 0, takenAlong: 0, altered: 0, faults: 0 };
  for (let number = 0; number < ARCHIVES; number++) {
    const archive = archiveOf(record, random);
    const { items } = await readBytes(t, archive.bytes, { name });
    account(archive, items, tally);
  }
  t.diagnostic(`of ${ARCHIVES * PAGES} pages ${JSON.stringify(tally)}`);
  return tally;
}

const warcOf = (number: number) => warcRecord('response', urlOf(number), httpResponse(bodyOf(number)));

test('every record of a damaged WARC file is read or accounted for', async (t) => {
  const { takenAlong } = await readMutated(t, warcOf, 'pages.warc');
  assert.ok(takenAlong < MOST_TAKEN_ALONG, 'a cut record may take the next one along');
});

test('every record of a damaged WARC file of gzip members is read or accounted for, and none is read wrong', async (t) => {
  const { takenAlong, altered } = await readMutated(t, (number) => gzipSync(warcOf(number)), 'pages.warc.gz');
  assert.ok(takenAlong < MOST_TAKEN_ALONG / 4, 'one cut in its head may take the next one along');
  assert.equal(altered, 0, 'a checksum guards each record');
});

test('every record of a damaged WARC file of zstd frames is read or accounted for, and none is read wrong', async (t) => {
  const frame = (number: number) =>
    zstdCompressSync(warcOf(number), { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  const { takenAlong, altered } = await readMutated(t, frame, 'pages.warc.zst');
  assert.equal(takenAlong, 0);
  assert.equal(altered, 0, 'a checksum guards each record');
});

test('every record of a damaged WARC file with digests is read or accounted for, and few are read wrong', async (t) => {
  const digested = (number: number) => {
    const block = httpResponse(bodyOf(number));
    const digest = `sha1:${base32(createHash('sha1').update(block).digest())}`;
    return warcRecord('response', urlOf(number), block, { 'WARC-Block-Digest': digest });
  };
  const { takenAlong, altered } = await readMutated(t, digested, 'pages.warc');
  assert.ok(takenAlong < MOST_TAKEN_ALONG, 'a cut record may take the next one along');
  assert.ok(altered < MOST_OF_DAMAGED_HEADS, `${altered} records were read wrong`);
});

test('every line of a damaged JSONL file is one page or one fault', async (t) => {
  const random = new Random(9);
  const lineOf = (number: number) =>
    Buffer.from(
      `${JSON.stringify({ url: urlOf(number), html: bodyOf(number), fetched_at: '2026-01-02' })}\n`,
    );
  for (let number = 0; number < ARCHIVES; number++) {
    const { bytes, isDamaged } = archiveOf(lineOf, random);
    const { items } = await readBytes(t, bytes, { name: 'pages.jsonl' });
    const lines = bytes.toString('latin1').split('\n');
    const held = lines.filter((line) => Buffer.from(line, 'latin1').toString('utf8').trim() !== '');
    assert.equal(items.length, held.length, 'one item a line');
    const whole = new Set(items.map(soundPage));
    for (const [page, damaged] of isDamaged.entries()) {
      // A line without its end takes the next one along.
      const isJoined =
        isDamaged[page - 1] === true &&
        !lines.includes(lineOf(page).toString('latin1', 0, lineOf(page).length - 1));
      assert.ok(damaged || isJoined || whole.has(page), `page ${page} is missing`);
    }
    for (const fault of items) {
      if (fault.kind !== 'fault') continue;
      const at = Number(/pages\.jsonl:(\d+)/.exec(fault.where)![1]);
      assert.notEqual(lines[at - 1]?.trim(), '', `${fault.where} names its line`);
    }
  }
});
