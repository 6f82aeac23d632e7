import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InputError } from '../src/errors.ts';
import type { BuildInput } from '../src/indexer/options/build-options.ts';
import { ALGORITHM_VERSION, FORMAT_VERSION } from '../src/store/database.ts';

interface Site {
  readonly package: string;
  readonly folder: string;
  readonly base_url: string;
}

const CORPUS = new URL('corpus.json', import.meta.url);
const PACKAGES = fileURLToPath(new URL('../node_modules', import.meta.url));

export interface Corpus {
  readonly inputs: readonly BuildInput[];
  /** Changes with the list, the package versions and whatever shapes an index. */
  readonly sweepName: string;
}

/** Errors  InputError AKIN_ERR_INPUT_MISSING where a package is not installed. */
export function demoCorpus(): Corpus {
  const text = readFileSync(CORPUS, 'utf8');
  const { sites } = JSON.parse(text) as { sites: readonly Site[] };
  const digest = createHash('sha256').update(`${ALGORITHM_VERSION} ${FORMAT_VERSION} ${text}`);
  const inputs = sites.map((site): BuildInput => {
    const path = join(PACKAGES, site.package, site.folder);
    if (!existsSync(path)) {
      throw new InputError('AKIN_ERR_INPUT_MISSING', `the demo package ${site.package} is not installed`, {
        hint: 'npm ci --ignore-scripts && npm rebuild node',
      });
    }
    digest.update(readFileSync(join(PACKAGES, site.package, 'package.json')));
    return { path, baseUrl: site.base_url, format: null };
  });
  return { inputs, sweepName: `demo-${digest.digest('hex').slice(0, 12)}` };
}
