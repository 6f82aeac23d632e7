import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { archiveNames } from '../../crawl/folder/archive.ts';
import { hasCrawl } from '../../crawl/folder/crawl-folder.ts';
import { InputError, optionFault } from '../../errors.ts';
import type { BuildInput } from '../../indexer/options/build-options.ts';
import { INDEX_NAME } from '../../store/publish-shards.ts';

/** How folders are read; false where it is not given. */
type FolderReading = Pick<BuildInput, 'cleanUrls' | 'followLinks'>;

const FOLDER_FLAGS = [
  ['cleanUrls', '--clean-urls'],
  ['followLinks', '--follow-links'],
] as const;

/**
 * Reads the INPUT words of `akin index`: a path, `-`, or `BASE_URL=PATH` for a folder.
 *
 * Errors  InputError AKIN_ERR_INPUT_MISSING for a path that is not there, AKIN_ERR_OPTION for a
 *         folder without a URL or a base that no folder needs, AKIN_ERR_URL for a base that is not http(s).
 */
export function parseInputs(
  words: readonly string[],
  base: string | null,
  format: BuildInput['format'],
  how: FolderReading = {},
): BuildInput[] {
  if (base !== null) requireHttpUrl(base);
  if (words.filter((word) => word === '-').length > 1) {
    throw optionFault('standard input (-) is given twice', 'give it once');
  }
  const inputs = words.flatMap((word) => archivesIn(word, base) ?? parseInput(word, base, format, how));
  if (base !== null && !inputs.some(({ baseUrl }) => baseUrl === base)) {
    throw optionFault(
      `--base ${base} is used by none of the inputs`,
      'it is for folders given without a URL of their own; leave it out',
    );
  }
  for (const [name, flag] of FOLDER_FLAGS) {
    if (how[name] !== true || inputs.some(({ baseUrl }) => baseUrl !== null)) continue;
    throw optionFault(`${flag} is used by none of the inputs`, 'it is for folders; leave it out');
  }
  return inputs;
}

const ARCHIVE = /\.(w?arc(\.gz|\.zst)?|wacz)$/i;

/**
 * The archives of a folder that `akin crawl` made, or that has some, in the order of their names; null for anything else. With
 * a base a folder is one of pages, whatever else lies in it.
 */
function archivesIn(path: string, base: string | null): BuildInput[] | null {
  const isCrawl = hasCrawl(path);
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isCrawl && (base !== null || !isFolder)) return null;
  const names = isCrawl
    ? archiveNames(path)
    : readdirSync(path)
        .filter((name) => ARCHIVE.test(name))
        .sort();
  if (names.length === 0 && !isCrawl) return null;
  return names.map((name) => ({ path: join(path, name), baseUrl: null, format: null }));
}

function parseInput(
  word: string,
  base: string | null,
  format: BuildInput['format'],
  { cleanUrls, followLinks }: FolderReading,
): BuildInput {
  if (word === '-') return { path: '-', baseUrl: null, format };
  const [, ownBase, rest] = /^(https?:\/\/[^=]*)=(.+)$/i.exec(word) ?? [];
  const path = rest ?? word;
  const isFolder = kindOf(path) === 'folder';
  if (ownBase !== undefined) requireHttpUrl(ownBase);
  if (ownBase !== undefined && !isFolder) {
    throw optionFault(`${path} is not a folder; only a folder takes a URL`, `give the file alone: ${path}`);
  }
  const baseUrl = isFolder ? (ownBase ?? base) : null;
  if (isFolder && baseUrl === null) {
    const isOfShards = readdirSync(path).some((name) => INDEX_NAME.test(name));
    throw optionFault(
      `the folder ${path} has no URL`,
      isOfShards
        ? `of an index in shards, give the files: ${join(path, '*.akin')}`
        : `give the URL of the folder: https://example.org/=${path}; without one it must have WARC or ARC files`,
    );
  }
  return {
    path,
    baseUrl,
    format: null,
    ...(isFolder && cleanUrls && { cleanUrls }),
    ...(isFolder && followLinks && { followLinks }),
  };
}

function kindOf(path: string): 'folder' | 'file' {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch (cause) {
    const isUrl = /^https?:\/\//i.test(path);
    throw new InputError('AKIN_ERR_INPUT_MISSING', `${path} does not exist`, {
      hint: isUrl
        ? `this reads files; akin up ${path} crawls, indexes and serves a site, and akin crawl ${path} --to FOLDER fetches it first`
        : 'check the path; write a folder as https://example.org/=PATH',
      cause,
    });
  }
}

function requireHttpUrl(text: string): void {
  // Without a host, the first folder below is the host.
  if (/^https?:\/\/$/i.test(text)) return;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InputError('AKIN_ERR_URL', `"${text}" is not an http(s) URL`, {
      hint: 'give a complete URL, such as https://example.org/docs/',
    });
  }
}

/**
 * Refuses as a folder to write to what is none, before hours of work.
 *
 * @param example of the flag that names it, such as `--to crawl/`.
 * Errors  InputError AKIN_ERR_OPTION.
 */
export function requireFolder(folder: string, example: string): void {
  requireName(folder, 'folder', example);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw optionFault(`${folder} is no folder`, `give a folder: ${example}`);
  }
}

/** Refuses an unset variable of a script, and what stands for standard output elsewhere. */
function requireName(name: string, what: 'file' | 'folder', example: string): void {
  if (name !== '' && name !== '-') return;
  throw optionFault(`"${name}" is no name of a ${what}`, `give a ${what}: ${example}`);
}

/**
 * Refuses a target that cannot be written, before hours of work instead of after.
 *
 * @param example of the flag that names the target, such as `--to web.akin`.
 * Errors  InputError AKIN_ERR_INPUT_MISSING, AKIN_ERR_OPTION.
 */
export function requireTargetFolder(target: string, example: string): void {
  requireName(target, 'file', example);
  const folder = dirname(target);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new InputError(
      'AKIN_ERR_INPUT_MISSING',
      `the folder ${folder} does not exist, so ${target} cannot be written`,
      {
        hint: `create it first: mkdir -p ${folder}`,
      },
    );
  }
  const found = statSync(target, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) {
    const what = found.isDirectory() ? 'a folder' : 'not a plain file';
    throw optionFault(`${target} is ${what}`, `give a file: ${example}`);
  }
}
