/**
 * A crawl as one file that viewers of archives open: WACZ 1.1.1, a ZIP with the archives as they are, an index by URL (CDXJ), the
 * list of pages, and a digest of each of them.
 *
 * The ZIP is written by yazl, which streams and goes beyond 4 GB. The index is sorted in memory: some 300 bytes a capture.
 */
import { createHash, type Hash } from 'node:crypto';
import { createWriteStream, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { linkedFile } from '../../store/linked-file.ts';
import { archiveNames } from '../folder/archive.ts';
import { archiveMembers } from './archive-members.ts';
import { type ArchivedCapture, archivedCapture } from './cdxj.ts';

interface Written {
  readonly archives: number;
  readonly captures: number;
  readonly pages: number;
}

interface Resource {
  readonly name: string;
  readonly path: string;
  readonly hash: string;
  readonly bytes: number;
}

/**
 * All sweeps of a crawl folder to `target`, which is there once it is whole.
 *
 * Errors  those of the file system, and of `archiveMembers`.
 */
export async function writeWacz(folder: string, target: string, nowMs: number): Promise<Written> {
  const lines: string[] = [];
  const pages: string[] = [];
  const resources: Resource[] = [];
  const names = archiveNames(folder);
  const zip = new ZipFile();
  for (const name of names) {
    const hash = createHash('sha256');
    let sizeBytes = 0;
    const watch = (bytes: Buffer) => {
      hash.update(bytes);
      sizeBytes += bytes.length;
    };
    for await (const member of archiveMembers(join(folder, name), watch)) {
      const capture = archivedCapture(member, name);
      if (capture === null) continue;
      lines.push(capture.line);
      if (isPage(capture)) pages.push(pageLine(capture));
    }
    const path = `archive/${name}`;
    resources.push({ name, path, hash: digestText(hash), bytes: sizeBytes });
    // Its members are compressed already, and a reader jumps to one of them.
    zip.addFile(join(folder, name), path, { compress: false });
  }
  const head = `${JSON.stringify({ format: 'json-pages-1.0', id: 'pages', title: 'All Pages' })}\n`;
  const add = (path: string, text: string) => {
    const bytes = Buffer.from(text);
    zip.addBuffer(bytes, path);
    const name = path.slice(path.lastIndexOf('/') + 1);
    const hash = digestText(createHash('sha256').update(bytes));
    resources.push({ name, path, hash, bytes: bytes.length });
    return hash;
  };
  add('indexes/index.cdx', lines.sort().join(''));
  add('pages/pages.jsonl', head + pages.join(''));
  const created = new Date(nowMs).toISOString();
  const data = {
    profile: 'data-package',
    wacz_version: '1.1.1',
    created,
    software: 'akin',
    resources: [...resources],
  };
  const hash = add('datapackage.json', `${JSON.stringify(data, null, 2)}\n`);
  add('datapackage-digest.json', `${JSON.stringify({ path: 'datapackage.json', hash })}\n`);
  zip.end();
  const path = linkedFile(target);
  const partial = `${path}.partial`;
  try {
    await pipeline(zip.outputStream, createWriteStream(partial));
    renameSync(partial, path);
  } finally {
    await rm(partial, { force: true });
  }
  return { archives: names.length, captures: lines.length, pages: pages.length };
}

function isPage({ status, mediaType }: ArchivedCapture): boolean {
  return status === '200' && (mediaType === 'text/html' || mediaType === 'application/xhtml+xml');
}

function pageLine({ url, date }: ArchivedCapture): string {
  const id = createHash('sha256').update(`${date} ${url}`).digest('hex').slice(0, 16);
  return `${JSON.stringify({ id, url, ts: date })}\n`;
}

function digestText(hash: Hash): string {
  return `sha256:${hash.digest('hex')}`;
}
