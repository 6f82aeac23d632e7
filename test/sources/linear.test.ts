/**
 * Reading an archive takes time in proportion to its bytes, whatever stands in them: half a megabyte of each shape takes
 * less than a second of processor time, where one that is read in the square of its length takes minutes.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arcRecord, httpResponse, readBytes, warcRecord } from './archive-bytes.ts';

const SIZE_BYTES = 512 * 1024;
const MOST_MS = 1000;
const HEAD_BYTES = 64_000;

/** As many as are needed for the size. */
function filled(record: Buffer, first: Buffer = Buffer.alloc(0)): Buffer {
  return Buffer.concat([first, ...Array(Math.ceil(SIZE_BYTES / record.length)).fill(record)]);
}

const line = (text: string) => Buffer.from(`${text}\n`);
const response = (head: string) =>
  warcRecord('response', 'http://a.example/', `HTTP/1.1 200 OK\r\n${head}\n\r\n<p>page`);
const ARC_START = arcRecord('filedesc://x.arc', '1 0 Test\n', 'text/plain');
const ARC_LINE = 'http://a.example/ 192.0.2.1 20080430204825 ';
const many = (piece: string, sizeBytes = HEAD_BYTES) => piece.repeat(sizeBytes / piece.length);

const SHAPES: Readonly<Record<string, Buffer>> = {
  'HTTP heads of CR': filled(response(`${many('\r')}x`)),
  'HTTP heads of CR LF CR': filled(response(many(`\n${'\r'.repeat(1999)}`))),
  'HTTP heads of white space': filled(response(`content-type: a${many(' ')};${many(' ', 400)}charset`)),
  'HTTP heads of one field in lines': filled(response(`a: b${many('\n c')}`)),
  'HTTP heads of links': filled(response(`link: ${many('<a>;rel ')}`)),
  'HTTP heads of quotes': filled(response(`link: <a>${many(';"')}`)),
  'status lines of digits': filled(
    warcRecord('response', 'http://a.example/', `HTTP/${many('1')} 200\r\n\r\n`),
  ),
  'WARC heads of CR': filled(warcRecord('response', many('\r'), httpResponse('<p>x'))),
  'WARC heads of versions': filled(warcRecord('response', many('WARC/1.0 '), httpResponse('<p>x'))),
  'WARC heads of brackets': filled(warcRecord('response', many('<'), httpResponse('<p>x'))),
  'WARC version lines': filled(line(many('WARC/1.0')), line('WARC/1.0')),
  'an endless WARC head': filled(line(many('a: b', 900)), line('WARC/1.0')),
  'ARC lines of spaces': filled(line(`http://a${many(' ')}\r x y`), ARC_START),
  'ARC lines of addresses': filled(line(`http://a ${many('1 ')}`), ARC_START),
  'ARC lines of addresses and dates': filled(line(`http://a ${many('1 12345678 ')}\r x y`), ARC_START),
  'ARC lines of tabs': filled(line(`${ARC_LINE}${many('a\t ')}\r x y`), ARC_START),
  'ARC lines of one word': filled(line(`a:${many('a')}`), ARC_START),
  'JSON lines of spaces': filled(line(`{"url":${many(' ')}`), line('{"url":"http://a.example/","html":"x"}')),
  'JSON lines of brackets': filled(line(many('[')), line('{"url":"http://a.example/","html":"x"}')),
  'chunks of one byte': filled(
    warcRecord(
      'response',
      'http://a.example/',
      httpResponse(many('1\r\na\r\n'), { 'Transfer-Encoding': 'chunked' }),
    ),
  ),
};

for (const [name, bytes] of Object.entries(SHAPES)) {
  test(`${name} are read in time in proportion to their length`, async (t) => {
    const before = process.cpuUsage();
    const { items } = await readBytes(t, bytes);
    const { user, system } = process.cpuUsage(before);
    assert.ok(items.length > 0);
    assert.ok((user + system) / 1000 < MOST_MS, `${(user + system) / 1000} ms for ${bytes.length} bytes`);
  });
}
