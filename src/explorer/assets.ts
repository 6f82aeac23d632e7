/** Styles and scripts, under names that change with their bytes. */
import { readFileSync } from 'node:fs';
import { IMMUTABLE, prepareAsset, replyAsset } from '../service/http/asset.ts';
import type { App } from './ask.ts';

const NAMES = ['explorer.css', 'demo.css', 'box.js', 'page.js', 'compare.js', 'map.js'] as const;
export type AssetName = (typeof NAMES)[number];
/** Path of each, from the root of the service. */
export type AssetUrls = Readonly<Record<AssetName, string>>;

const MEDIA_TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' };

/** Adds their routes. */
export function addAssets(app: App): AssetUrls {
  const urls = NAMES.map((name) => {
    const [stem, extension] = name.split('.') as [string, keyof typeof MEDIA_TYPES];
    const files = extension === 'css' ? ['base.css', name] : [name];
    const bytes = files.map((file) => readFileSync(new URL(`assets/${file}`, import.meta.url)));
    const asset = prepareAsset(Buffer.concat(bytes), MEDIA_TYPES[extension]);
    const path = `/explore/assets/${stem}.${asset.digest}.${extension}`;
    app.get(path, { schema: { hide: true } }, (request, reply) =>
      replyAsset(request, reply, asset, IMMUTABLE),
    );
    return [name, path] as const;
  });
  return Object.fromEntries(urls) as Record<AssetName, string>;
}
