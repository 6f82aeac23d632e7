import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InputError } from '../src/errors.ts';
import type { BuildInput, BuildOptions } from '../src/indexer/options/build-options.ts';
import { COPY_PROFILES } from '../src/relations/copy.ts';
import { TOPIC_PROFILES } from '../src/relations/topic.ts';
import { ALGORITHM_VERSION, FORMAT_VERSION } from '../src/store/database.ts';

interface Site {
  readonly package: string;
  readonly folder: string;
  readonly base_url: string;
}

/** A package installs its files with the time of the installation; here is the day on which the pages were made. */
interface EarlierSite extends Site {
  readonly fetched_at: string;
}

const CORPUS = new URL('corpus.json', import.meta.url);
const PACKAGES = fileURLToPath(new URL('../node_modules', import.meta.url));

interface Corpus {
  /** The pages of some of the sites as they were before, as JSON lines: a sweep of its own. */
  readonly earlier: string;
  /** In which they were made: the name of that sweep. */
  readonly earlierYear: string;
  readonly inputs: readonly BuildInput[];
  /** Changes with the list and the package versions. */
  readonly digest: string;
}

/** Errors  InputError AKIN_ERR_INPUT_MISSING where a package is not installed. */
export function demoCorpus(): Corpus {
  const text = readFileSync(CORPUS, 'utf8');
  const { earlier, sites } = JSON.parse(text) as {
    earlier: readonly EarlierSite[];
    sites: readonly Site[];
  };
  const digest = createHash('sha256').update(text);
  const input = (site: Site): BuildInput => {
    const path = join(PACKAGES, site.package, site.folder);
    if (!existsSync(path)) {
      throw new InputError('AKIN_ERR_INPUT_MISSING', `the demo package ${site.package} is not installed`, {
        hint: 'npm ci --ignore-scripts && npm rebuild node',
      });
    }
    digest.update(readFileSync(join(PACKAGES, site.package, 'package.json')));
    return { path, baseUrl: site.base_url, format: null };
  };
  const lines = earlier.flatMap((site) => pagesOf(input(site), site.fetched_at));
  return {
    earlier: lines.join(''),
    earlierYear: earlier[0]!.fetched_at.slice(0, 4),
    inputs: sites.map(input),
    digest: digest.digest('hex'),
  };
}

/**
 * Names all that shapes the index of the demo: the pages, the options of the build, the profiles that these stand for, the
 * algorithm and the format. Where the key is another one, the index is made again.
 */
export function demoKey(
  { digest, earlier }: Corpus,
  options: BuildOptions,
  made: readonly unknown[] = [ALGORITHM_VERSION, FORMAT_VERSION, TOPIC_PROFILES, COPY_PROFILES],
): string {
  const {
    target: _target,
    inputs: _inputs,
    workerCount: _workers,
    memoryBytes: _memory,
    ...shaping
  } = options;
  const name = createHash('sha256').update(JSON.stringify([digest, earlier, shaping, made]));
  return name.digest('hex').slice(0, 12);
}

function pagesOf({ path, baseUrl }: BuildInput, fetchedAt: string): string[] {
  return globSync('*.html', { cwd: path })
    .sort()
    .map((name) => {
      const html = readFileSync(join(path, name), 'utf8');
      return `${JSON.stringify({ url: `${baseUrl}${name}`, html, fetched_at: fetchedAt })}\n`;
    });
}
