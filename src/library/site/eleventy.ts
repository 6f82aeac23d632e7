/** The plugin for Eleventy: `eleventyConfig.addPlugin(akin, { base: 'https://example.org/' })`. */
import { type InjectOptions, type InjectReport, injectFolder } from './inject.ts';

/** What is used of the configuration of Eleventy. */
interface EleventyConfig {
  on(
    event: 'eleventy.after',
    listener: (build: { directories: { output: string }; runMode: string }) => Promise<void>,
  ): unknown;
}

export interface EleventyOptions extends InjectOptions {
  /** Is called after each build with what was done. */
  readonly onReport?: (report: InjectReport) => void;
}

/** Writes related pages into the output after each build; while Eleventy serves or watches, nothing. */
export function akin(config: EleventyConfig, { onReport, ...options }: EleventyOptions): void {
  config.on('eleventy.after', async ({ directories, runMode }) => {
    if (runMode !== 'build') return;
    const report = await injectFolder(directories.output, options);
    onReport?.(report);
  });
}
