/** The plugin for Docusaurus: `plugins: [[akin, { limit: 4 }]]`. It puts a place for a list below documents and posts. */
import { fileURLToPath } from 'node:url';
import { type InjectOptions, injectFolder } from '../inject.ts';

/** What is used of a build of Docusaurus. */
interface DocusaurusBuild {
  readonly outDir: string;
  readonly siteConfig: {
    readonly url: string;
    readonly baseUrl: string;
    readonly trailingSlash?: boolean | undefined;
  };
}

interface DocusaurusPlugin {
  readonly name: string;
  getThemePath(): string;
  postBuild(build: DocusaurusBuild): Promise<void>;
}

/** What Docusaurus adds. */
type DocusaurusOptions = Partial<InjectOptions> & { readonly id?: string };

/** Writes related pages into the output after a build. Unless said otherwise, the text of documents and posts alone counts. */
export function akin(_context: unknown, { id: _id, ...options }: DocusaurusOptions = {}): DocusaurusPlugin {
  return {
    name: 'akin-web',
    getThemePath: () => fileURLToPath(new URL('theme', import.meta.url)),
    postBuild: async ({ outDir, siteConfig: { url, baseUrl, trailingSlash } }) => {
      const base = new URL(baseUrl, url).href;
      await injectFolder(outDir, { base, body: 'article', cleanUrls: trailingSlash === false, ...options });
    },
  };
}
