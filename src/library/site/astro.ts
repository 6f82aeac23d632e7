/** The integration for Astro: `integrations: [akin()]`, with `site` in the configuration. */
import { fileURLToPath } from 'node:url';
import { optionFault } from '../../errors.ts';
import { type InjectOptions, injectFolder } from './inject.ts';

/** What is used of the hooks of Astro. */
interface AstroIntegration {
  name: string;
  hooks: {
    'astro:config:done': (given: { config: { site?: string; base: string } }) => void;
    'astro:build:done': (given: { dir: URL; logger: { info(message: string): void } }) => Promise<void>;
  };
}

type AstroOptions = Omit<InjectOptions, 'base'> & { readonly base?: string };

/** Writes related pages into the output after a build. The URL of the site is `site` and `base` of Astro, or `base` here. */
export function akin(options: AstroOptions = {}): AstroIntegration {
  let { base } = options;
  return {
    name: 'akin-web',
    hooks: {
      'astro:config:done': ({ config }) => {
        if (config.site !== undefined) base ??= new URL(config.base, config.site).href;
      },
      'astro:build:done': async ({ dir, logger }) => {
        if (base === undefined) {
          throw optionFault(
            'akin does not know the URL of the site',
            "set site: 'https://example.org' in astro.config.mjs",
          );
        }
        const { changed, listCount } = await injectFolder(fileURLToPath(dir), { ...options, base });
        logger.info(`${listCount} pages show related pages; ${changed.length} changed`);
      },
    },
  };
}
