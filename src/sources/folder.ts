/**
 * A folder of HTML files, in the order of `walk-folder.ts`.
 *
 * The URL of a file is the base URL and its path below the folder, percent-encoded:
 * `https://example.org/docs/` and `a/b c.html` give `https://example.org/docs/a/b%20c.html`. With the
 * base `https://` the first folder is the host, as mirroring tools lay sites out.
 *
 * As servers have it, `index.html` is the page of its folder: `a/index.html` is `https://example.org/docs/a/`, and
 * links to either mean it. With clean URLs `a.html` is `a` too.
 *
 * Files of other kinds are faults, counted by their extensions, and so are error pages and what cannot be read.
 */

import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { optionFault } from '../errors.ts';
import { faultOf, type Place, robotsFault, tooLargeFault } from './record/fault.ts';
import {
  type Capture,
  NOTHING_BESIDE,
  type Source,
  type SourceItem,
  type SourceOptions,
} from './record/record.ts';
import { type FoundFile, LEADS_OUT, walkFolder } from './walk-folder.ts';

const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html'],
  ['.htm', 'text/html'],
  ['.shtml', 'text/html'],
  ['.xhtml', 'application/xhtml+xml'],
  ['.txt', 'text/plain'],
]);

const NO_EXTENSION = 'no extension';
/** Longer ones are no kind of file, but a part of a name. */
const MAX_EXTENSION_LENGTH = 12;
const FOLDER_PAGE = /(^|\/)index\.html?$/i;
const CLEAN_PAGE = /\.html?$/i;
/** At the top, or in the folder of a language. */
const ERROR_PAGE =
  /^(?:[a-z]{2}(?:-[a-z]{2,4})?\/)?(?:40[0134]|410|429|50[0234]|[45]0?x{1,2})(?:\/index)?\.html?$/i;

/** Small files cost their system calls, not their bytes: 4 at a time are twice as fast as one. */
const READ_AHEAD_FILES = 4;

/** @throws InputError AKIN_ERR_OPTION without a usable base URL. */
export function openFolder(path: string, options: SourceOptions): Source {
  const baseUrl = checkedBaseUrl(path, options.baseUrl);
  const progress = { bytesRead: 0, bytesTotal: null };
  const count = (item: SourceItem) => {
    if (item.kind === 'capture') progress.bytesRead += item.body.length;
    return item;
  };
  async function* items(): AsyncGenerator<SourceItem> {
    progress.bytesRead = 0;
    const ahead: Promise<SourceItem>[] = [];
    for (const file of walkFolder(path, options.followLinks === true)) {
      ahead.push(itemOf(file, path, { ...options, baseUrl }));
      if (ahead.length > READ_AHEAD_FILES) yield count(await ahead.shift()!);
    }
    for (const item of ahead) yield count(await item);
  }
  return { name: path, progress, covered: [], items };
}

async function itemOf(
  file: FoundFile,
  root: string,
  options: SourceOptions & { readonly baseUrl: string },
): Promise<SourceItem> {
  const where = `${root}/${file.relative.toString()}`;
  if (file.error !== null) {
    const detail = file.error === LEADS_OUT ? `${LEADS_OUT} (followed with --follow-links)` : file.error;
    const fault = faultOf('unreadable', { where, url: null }, detail);
    return isFolder(file.relative) ? fault : { ...fault, url: urlsOf(file, options).url };
  }
  const extension = extensionOf(file.relative.toString());
  if (!MEDIA_TYPES.has(extension)) {
    return { ...faultOf('media_type', { where, url: null }, 'neither HTML nor text'), extension };
  }
  if (options.baseUrl.endsWith('//') && !file.relative.includes('/')) {
    const detail = `in no folder that names its host, as the base ${options.baseUrl} asks`;
    return faultOf('url', { where, url: null }, detail);
  }
  if (isErrorPage(encodePath(file.relative))) {
    return faultOf('status', { where, url: null }, 'shown in place of pages that are not there');
  }
  const { url, fileUrl } = urlsOf(file, options);
  const place = { where, url };
  const item = robotsFault(place.url, place) ?? (await readPage(file, place, options.maxPageBytes));
  return item.kind === 'capture' ? { ...item, mediaType: MEDIA_TYPES.get(extension)!, fileUrl } : item;
}

function urlsOf(
  { relative }: FoundFile,
  { baseUrl, cleanUrls }: SourceOptions & { readonly baseUrl: string },
) {
  return urlsOfFile(relative, baseUrl, cleanUrls === true);
}

/** Of what cannot be read: any number of pages may be in it. */
function isFolder(relative: Buffer): boolean {
  return relative.length === 0 || relative.at(-1) === 0x2f;
}

/** Whether a file is, by its usual name, what a server shows in place of another page: `404.html` and the like. */
export function isErrorPage(path: string): boolean {
  return ERROR_PAGE.test(path);
}

/**
 * The URL under which a server shows a file below a folder with this base, which ends with a slash; `fileUrl` is that of the
 * file itself, null where it is the same.
 */
export function urlsOfFile(
  relative: Buffer,
  base: string,
  cleanUrls: boolean,
): { url: string; fileUrl: string | null } {
  const path = encodePath(relative);
  const shown = shownPath(path, cleanUrls);
  return { url: base + shown, fileUrl: shown === path ? null : base + path };
}

/** The path under which a server shows a file. */
function shownPath(path: string, cleanUrls: boolean): string {
  const folder = path.replace(FOLDER_PAGE, '$1');
  return cleanUrls && folder === path ? path.replace(CLEAN_PAGE, '') : folder;
}

async function readPage(
  file: FoundFile,
  place: Place & { url: string },
  maxPageBytes: number,
): Promise<SourceItem> {
  try {
    // A pipe that takes the place of the file meanwhile is not waited for.
    await using handle = await open(file.absolute, constants.O_RDONLY | constants.O_NONBLOCK);
    const { size: sizeBytes, mtimeMs } = await handle.stat();
    if (sizeBytes > maxPageBytes) return tooLargeFault(sizeBytes, maxPageBytes, place);
    if (sizeBytes === 0) return faultOf('empty', place, 'no body');
    return captureOf(place.url, mtimeMs, await readWhole(handle, sizeBytes));
  } catch (error) {
    return faultOf('unreadable', place, (error as Error).message);
  }
}

/** Fewer bytes only if the file shrinks meanwhile. */
async function readWhole(handle: FileHandle, sizeBytes: number): Promise<Uint8Array> {
  const body = new Uint8Array(sizeBytes);
  let filled = 0;
  while (filled < sizeBytes) {
    const { bytesRead } = await handle.read(body, filled, sizeBytes - filled, filled);
    if (bytesRead === 0) return body.slice(0, filled);
    filled += bytesRead;
  }
  return body;
}

function captureOf(url: string, mtimeMs: number, body: Uint8Array): Capture {
  return {
    kind: 'capture',
    url,
    status: 200,
    mediaType: null,
    charset: null,
    location: null,
    canonical: null,
    fileUrl: null,
    robots: [],
    lang: null,
    fetchedAtMs: Math.round(mtimeMs),
    body,
    ...NOTHING_BESIDE,
  };
}

/** Escapes what a URL parser would, and `%` and `\`, which stand for themselves in a file name. */
function encodePath(path: Buffer): string {
  return path.toString('latin1').replace(/[^!$&-;=@-Z[\]_a-z|~]/g, (byte: string) => {
    return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  });
}

/** In lower case with its dot. */
function extensionOf(path: string): string {
  const [extension = ''] = /\.[^./\s]+$/.exec(path) ?? [];
  return extension === '' || extension.length > MAX_EXTENSION_LENGTH ? NO_EXTENSION : extension.toLowerCase();
}

/** The base with a slash at its end. Errors  InputError AKIN_ERR_OPTION for one that cannot be used. */
export function checkedBaseUrl(path: string, baseUrl: string | null): string {
  const hint = 'give --base URL, such as --base https://example.org/docs/, or --base https:// for a mirror';
  if (baseUrl === null || baseUrl === '') {
    throw optionFault(`${path} is a folder: its pages need a base URL`, hint);
  }
  if (/^https?:\/\/$/i.test(baseUrl)) return baseUrl.toLowerCase();
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw optionFault(`${baseUrl} cannot be the base URL of the pages of ${path}`, hint);
  }
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}
