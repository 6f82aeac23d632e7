/** Writes the archives that the tests read, and reads sources to the end. */

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openSource } from '../../src/sources/open-source.ts';
import type { Capture, Fault, SourceItem, SourceOptions } from '../../src/sources/record/record.ts';
import { newFolder } from '../new-folder.ts';

export const OPTIONS: SourceOptions = { maxPageBytes: 1_000_000, baseUrl: null, format: null };

type Fields = Readonly<Record<string, string>>;

export function httpResponse(body: string | Uint8Array, fields: Fields = {}, status = '200 OK'): Buffer {
  const lines = Object.entries({ 'Content-Type': 'text/html', ...fields });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${head}\r\n`), Buffer.from(body)]);
}

export function warcRecord(
  type: string,
  url: string | null,
  block: string | Uint8Array,
  fields: Fields = {},
): Buffer {
  const bytes = Buffer.from(block);
  const all = {
    'WARC-Type': type,
    ...(url === null ? {} : { 'WARC-Target-URI': url }),
    'WARC-Date': '2024-05-06T07:08:09Z',
    'Content-Type': 'application/http; msgtype=response',
    'Content-Length': String(bytes.length),
    ...fields,
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`WARC/1.1\r\n${head.join('')}\r\n`), bytes, Buffer.from('\r\n\r\n')]);
}

/** A response record of a page about its own number. */
export function pageRecord(number: number): Buffer {
  const body = `<title>Page ${number}</title><p>${`word${number} `.repeat(50)}`;
  return warcRecord('response', `https://example.org/${number}`, httpResponse(body));
}

export function arcRecord(url: string, block: string | Uint8Array, mediaType = 'text/html'): Buffer {
  const bytes = Buffer.from(block);
  const line = `${url} 192.0.2.1 20080430204825 ${mediaType} ${bytes.length}\n`;
  return Buffer.concat([Buffer.from(line), bytes, Buffer.from('\n')]);
}

/** Each record a gzip member, as archives have it. */
export function gzipMembers(records: readonly Buffer[]): Buffer {
  return Buffer.concat(records.map((record) => gzipSync(record)));
}

export function temporaryFolder(t: TestContext): string {
  const folder = newFolder('sources');
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface ReadOutcome {
  readonly items: SourceItem[];
  readonly captures: Capture[];
  readonly faults: Fault[];
}

export async function readFile(path: string, options: Partial<SourceOptions> = {}): Promise<ReadOutcome> {
  const source = await openSource(path, { ...OPTIONS, ...options });
  return collect(source.items());
}

export async function readBytes(
  t: TestContext,
  bytes: Uint8Array | string,
  options: Partial<SourceOptions> & { name?: string } = {},
): Promise<ReadOutcome> {
  const path = join(temporaryFolder(t), options.name ?? 'input');
  writeFileSync(path, bytes);
  return readFile(path, options);
}

export async function collect(source: AsyncIterable<SourceItem>): Promise<ReadOutcome> {
  const items: SourceItem[] = [];
  for await (const item of source) items.push(item);
  return {
    items,
    captures: items.filter((item) => item.kind === 'capture'),
    faults: items.filter((item) => item.kind === 'fault'),
  };
}

export function textOf(capture: Capture | undefined): string {
  return Buffer.from(capture?.body ?? []).toString('utf8');
}
