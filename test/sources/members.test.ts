/** WARC files by the members that they are compressed in: cut, damaged, padded, and with a dictionary. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { constants, deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { decompress } from '../../src/sources/bytes/decompress.ts';
import { openSource } from '../../src/sources/open-source.ts';
import { collect, gzipMembers, OPTIONS, pageRecord, readBytes, textOf } from './archive-bytes.ts';

test('an archive cut anywhere yields its whole records and at most one fault, truncated', async (t) => {
  const records = [1, 2, 3].map(pageRecord);
  const archives = [
    Buffer.concat(records),
    gzipMembers(records),
    gzipSync(Buffer.concat(records)),
    zstdCompressSync(Buffer.concat(records)),
  ];
  for (const [kind, archive] of archives.entries()) {
    const ends = kind === 0 ? records : records.map((record) => gzipSync(record));
    for (let sizeBytes = 40; sizeBytes < archive.length; sizeBytes += 13) {
      const { captures, faults } = await readBytes(t, archive.subarray(0, sizeBytes), {
        format: 'warc',
      }).catch((error) => {
        assert.equal(error.code, 'AKIN_ERR_INPUT_UNREADABLE');
        assert.ok(kind > 0 && sizeBytes < 400);
        return { captures: [], faults: [] };
      });
      assert.ok(faults.length <= 1);
      assert.ok(
        faults.every((fault) => fault.reason === 'truncated'),
        `${kind} ${sizeBytes} ${faults[0]?.detail}`,
      );
      assert.ok(
        captures.every((capture, index) => textOf(capture).startsWith(`<title>Page ${index + 1}</title>`)),
      );
      if (kind > 1) continue;
      let whole = 0;
      for (let end = 0; whole < 3 && (end += ends[whole]!.length) <= sizeBytes; ) whole++;
      assert.ok(captures.length >= whole, `${captures.length} of ${whole} at ${sizeBytes} of kind ${kind}`);
    }
  }
});

/** How archives compress a record. */
const MEMBERS = {
  'gzip member': gzipSync,
  'zstd frame': (record: Uint8Array) =>
    zstdCompressSync(record, { params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
};

for (const [kind, compress] of Object.entries(MEMBERS)) {
  test(`a damaged ${kind} yields nothing false, and no record is lost without a fault`, async (t) => {
    const members = [1, 2, 3].map((number) => compress(pageRecord(number)));
    const pages = [1, 2, 3].map((number) => `<title>Page ${number}</title><p>${`word${number} `.repeat(50)}`);
    let alone = 0;
    let tried = 0;
    // Behind the member's header, of which only the magic and the flags matter.
    for (let offset = 10; offset < members[1]!.length; offset += 3) {
      const damaged = Buffer.from(members[1]!);
      damaged[offset]! ^= 1 << (offset % 8);
      const { captures, faults } = await readBytes(t, Buffer.concat([members[0]!, damaged, members[2]!]));
      const read = captures.map((capture) => pages.indexOf(textOf(capture)) + 1);
      assert.equal(read[0], 1, `offset ${offset}`);
      assert.ok(
        read.every((page) => page === 1 || page === 3),
        `offset ${offset}`,
      );
      assert.ok(faults.length > 0 && faults.length + captures.length >= 3, `offset ${offset}`);
      tried++;
      if (captures.length === 2 && faults.length === 1 && faults[0]!.reason === 'unreadable') alone++;
    }
    assert.ok(alone > 0.9 * tried, `${alone} of ${tried} cost their own record alone, with one fault`);
  });
}

test('a zstd frame ends where it says, whatever its header holds, and however it is cut into chunks', async () => {
  const noise = randomBytes(300_000);
  const contents = [
    Buffer.alloc(0),
    Buffer.from('word'),
    Buffer.alloc(600_000, 7),
    noise.subarray(0, 70_000),
    noise,
  ];
  const forms = [0, 1].flatMap((flag) => [
    { [constants.ZSTD_c_checksumFlag]: flag },
    { [constants.ZSTD_c_checksumFlag]: flag, [constants.ZSTD_c_contentSizeFlag]: 0 },
    { [constants.ZSTD_c_checksumFlag]: flag, [constants.ZSTD_c_windowLog]: 10 },
  ]);
  const frames = forms.flatMap((params) => contents.map((content) => zstdCompressSync(content, { params })));
  const bytes = Buffer.concat([...frames.slice(0, 9), passedFrame(noise), ...frames.slice(9)]);
  const whole = Buffer.concat(forms.flatMap(() => contents));
  for (const chunkBytes of [1000, 4099, 65_536, bytes.length]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, i) =>
      bytes.subarray(i * chunkBytes, (i + 1) * chunkBytes),
    );
    const read: Uint8Array[] = [];
    for await (const part of decompress(chunks)) {
      assert.ok(part instanceof Uint8Array, `a gap in chunks of ${chunkBytes}`);
      read.push(Buffer.from(part));
    }
    assert.ok(Buffer.concat(read).equals(whole), `chunks of ${chunkBytes}`);
  }
});

/** A frame that a reader may pass over, as a dictionary is kept in. */
function passedFrame(content: Uint8Array): Buffer {
  const head = Buffer.from([0x5d, 0x2a, 0x4d, 0x18, 0, 0, 0, 0]);
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content]);
}

test('a WARC of zstd frames that share a dictionary is read, however long the dictionary', async (t) => {
  const noise = randomBytes(400_000).toString('base64');
  const dictionary = Buffer.from(`${noise}${pageRecord(7)}`);
  const frames = [1, 2, 3].map((number) => zstdCompressSync(pageRecord(number), { dictionary }));
  const urls = [1, 2, 3].map((number) => `https://example.org/${number}`);
  for (const kept of [dictionary, zstdCompressSync(dictionary)]) {
    const { captures, items } = await readBytes(t, Buffer.concat([passedFrame(kept), ...frames]));
    assert.deepEqual([captures.map(({ url }) => url), items.length], [urls, 3]);
  }
  const piped = (async function* () {
    yield passedFrame(dictionary);
    yield* frames;
  })();
  const source = await openSource('-', OPTIONS, piped);
  assert.equal((await collect(source.items())).captures.length, 3);
});

test('of a WARC whose dictionary is missing, cut off or damaged a fault says so', async (t) => {
  const dictionary = Buffer.from(`${pageRecord(7)}`.repeat(20));
  const frames = Buffer.concat([1, 2].map((number) => zstdCompressSync(pageRecord(number), { dictionary })));
  const packed = zstdCompressSync(dictionary);
  packed[packed.length >> 1]! ^= 255;
  const broken = [
    [passedFrame(dictionary).subarray(0, 99), 'truncated', /dictionary is cut off/],
    [Buffer.concat([passedFrame(packed), frames]), 'unreadable', /dictionary is damaged/],
    [Buffer.from([0x5d, 0x2a, 0x4d, 0x18, 0, 0, 0, 0xff]), 'unreadable', /dictionary has 4278190080 bytes/],
  ] as const;
  for (const [bytes, reason, detail] of broken) {
    const { captures, faults } = await readBytes(t, bytes);
    assert.deepEqual([captures.length, faults.length, faults[0]?.reason], [0, 1, reason]);
    assert.match(faults[0]!.detail, detail);
  }
});

test('zeros between gzip members are padding, other bytes are a fault', async (t) => {
  const [first, second] = [1, 2].map((number) => gzipSync(pageRecord(number)));
  const padded = await readBytes(t, Buffer.concat([first!, Buffer.alloc(1000), second!, Buffer.alloc(512)]));
  assert.deepEqual([padded.captures.length, padded.faults.length], [2, 0]);
  const noisy = await readBytes(t, Buffer.concat([first!, Buffer.from('spilled ink'), second!]));
  assert.deepEqual([noisy.captures.length, noisy.faults.length], [2, 1]);
});

test('gzip headers with a name, a comment, extra fields and a checksum are read', async (t) => {
  const plain = gzipSync(pageRecord(1));
  const extra = Buffer.from([3, 0, 7, 8, 9]);
  const header = Buffer.concat([
    plain.subarray(0, 3),
    Buffer.from([2 | 4 | 8 | 16]),
    plain.subarray(4, 10),
    extra,
  ]);
  const bytes = Buffer.concat([
    header,
    Buffer.from('name\0comment\0'),
    Buffer.from([1, 2]),
    plain.subarray(10),
  ]);
  const { items, captures } = await readBytes(t, Buffer.concat([bytes, gzipSync(pageRecord(2))]));
  assert.deepEqual([items.length, captures.length], [2, 2]);
});

test('members inside each other that fail their checksums cost no more than the archive, and a fault', async (t) => {
  // A stored block reaches over all starts behind it; then come 16 MiB of zeros, and no checksum.
  const zeros = deflateRawSync(Buffer.alloc(2 ** 24));
  const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
  const starts = Array.from({ length: 2000 }, (_, i) => {
    const stored = Buffer.alloc(5);
    const sizeBytes = (1999 - i) * (head.length + stored.length);
    stored.writeUInt16LE(sizeBytes, 1);
    stored.writeUInt16LE(~sizeBytes & 0xffff, 3);
    return Buffer.concat([head, stored]);
  });
  const sound = gzipSync(pageRecord(1));
  const bytes = Buffer.concat([sound, ...starts, zeros, Buffer.alloc(8)]);
  const { captures, faults } = await readBytes(t, bytes);
  assert.equal(captures.length, 1);
  assert.ok(faults.length < 20, `${faults.length} faults`);
  assert.match(faults.at(-1)!.detail, /they overlap/);
});
