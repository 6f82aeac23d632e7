/** The HTML pages of a folder that a site generator wrote, as `injectFolder` needs them. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { InputError } from '../../errors.ts';
import { decodeBody } from '../../page/decode.ts';
import { listPlaces, withoutList } from '../../page/html/list-places.ts';
import { checkedBaseUrl, isErrorPage, urlsOfFile } from '../../sources/folder.ts';
import { walkFolder } from '../../sources/walk-folder.ts';
import type { PageRecord } from '../build.ts';

export interface FolderPage {
  /** Bytes of the path; as such, programs need no types of Node. */
  readonly absolute: Uint8Array;
  /** Below the folder, for messages. */
  readonly path: string;
  readonly url: string;
  /** Of the file itself, which leads to the page; null where it is the same. */
  readonly fileUrl: string | null;
  readonly hasPlace: boolean;
  /** As its first element says it; null where it does not. */
  readonly lang: string | null;
}

export interface FolderPages {
  /** In the byte order of their paths; error pages and drafts are left out. */
  readonly pages: readonly FolderPage[];
  /** Error pages and drafts. */
  readonly passedOver: readonly FolderPage[];
  /** Files and folders that cannot be read, such as links that lead out of the folder, each with the reason. */
  readonly unreadable: readonly string[];
  /** Of the pages. */
  readonly bytes: number;
  /** Of the URLs and the bytes of the pages, each without its list. */
  readonly digest: string;
}

const PAGE = /\.html?$/i;
const DRAFT = /(?:^|\/)_?drafts\//i;

/**
 * Reads each page once, and keeps none of them.
 *
 * Errors  InputError AKIN_ERR_OPTION for a base that cannot be used, AKIN_ERR_INPUT_MISSING for what is no folder,
 *         AKIN_ERR_INPUT_UNREADABLE for a page that cannot be read, AKIN_ERR_INPUT_EMPTY for a folder without pages.
 */
export function folderPages(folder: string, base: string, cleanUrls: boolean): FolderPages {
  const baseUrl = checkedBaseUrl(folder, base);
  const hash = createHash('sha256').update(baseUrl);
  const pages: FolderPage[] = [];
  const passedOver: FolderPage[] = [];
  const unreadable: string[] = [];
  let bytes = 0;
  requireFolder(folder);
  for (const { absolute, relative, error } of walkFolder(folder, false)) {
    const path = relative.toString();
    if (error !== null) unreadable.push(`${path}: ${error}`);
    if (error !== null || !PAGE.test(path)) continue;
    const html = bytesOf(absolute, folder, path).toString('latin1');
    const places = listPlaces(html);
    const { url, fileUrl } = urlsOfFile(relative, baseUrl, cleanUrls);
    const page = { absolute, path, url, fileUrl, hasPlace: places.length > 0, lang: langOf(html) };
    if (isErrorPage(path) || DRAFT.test(path)) {
      passedOver.push(page);
      continue;
    }
    const own = withoutList(html, places);
    hash.update(`${url} ${fileUrl} ${own.length}\n`).update(own, 'latin1');
    pages.push(page);
    bytes += html.length;
  }
  if (pages.length === 0) {
    throw new InputError('AKIN_ERR_INPUT_EMPTY', `${folder} has no HTML pages`, {
      hint: 'give the folder that the site generator writes, such as dist or public, after its build',
    });
  }
  return { pages, passedOver, unreadable, bytes, digest: hash.digest('hex') };
}

const MAX_HEAD_CHARS = 2000;

function langOf(html: string): string | null {
  // bounded: the beginning of a page.
  return /<html(?=\s)[^>]*?\slang\s*=\s*["']?([\w-]+)/i.exec(html.slice(0, MAX_HEAD_CHARS))?.[1] ?? null;
}

/**
 * The pages as records of a build; what is no text is left out.
 *
 * @param headOf what stands before the HTML of a page.
 */
export function* recordsOf(
  folder: string,
  pages: readonly FolderPage[],
  headOf: (page: FolderPage) => string = () => '',
): Generator<PageRecord> {
  for (const page of pages) {
    const { absolute, path, url, fileUrl } = page;
    const html = decodeBody(bytesOf(absolute, folder, path), null)?.text;
    // What has no words is no page of an index, and no fault of a folder.
    if (html !== undefined && html.trim() !== '') yield { url, html: headOf(page) + html, file_url: fileUrl };
  }
}

function bytesOf(absolute: Uint8Array, folder: string, path: string): Buffer {
  try {
    return readFileSync(Buffer.from(absolute));
  } catch (cause) {
    throw new InputError(
      'AKIN_ERR_INPUT_UNREADABLE',
      `${folder}/${path} cannot be read: ${(cause as Error).message}`,
      {
        hint: 'check the permissions of the folder and of its files',
      },
    );
  }
}

function requireFolder(folder: string): void {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) return;
  const what = stats === undefined ? 'does not exist' : 'is no folder';
  throw new InputError('AKIN_ERR_INPUT_MISSING', `${folder} ${what}`, {
    hint: 'give the folder that the site generator writes, such as dist or public, after its build',
  });
}
