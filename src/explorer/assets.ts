/** Styles and scripts: read once, compressed once, under names that change with their bytes. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { App } from './ask.ts';

const NAMES = ['explorer.css', 'box.js', 'page.js', 'compare.js', 'map.js'] as const;
export type AssetName = (typeof NAMES)[number];
/** Path of each, from the root of the service. */
export type AssetUrls = Readonly<Record<AssetName, string>>;

const MEDIA_TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' };

/** Adds their routes. */
export function addAssets(app: App): AssetUrls {
  const urls = NAMES.map((name) => {
    const bytes = readFileSync(new URL(`assets/${name}`, import.meta.url));
    const [stem, extension] = name.split('.') as [string, keyof typeof MEDIA_TYPES];
    const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
    const path = `/explore/assets/${stem}.${digest}.${extension}`;
    const encoded = { br: brotliCompressSync(bytes), gzip: gzipSync(bytes, { level: 9 }) };
    app.get(path, { schema: { hide: true } }, (request, reply) => {
      reply.headers({
        'content-type': MEDIA_TYPES[extension],
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'Accept-Encoding',
      });
      const encoding = encodingOf(request.headers['accept-encoding']);
      if (encoding === null) return reply.send(bytes);
      return reply.header('content-encoding', encoding).send(encoded[encoding]);
    });
    return [name, path] as const;
  });
  return Object.fromEntries(urls) as Record<AssetName, string>;
}

/** Brotli before gzip; neither where its `q` is 0. */
export function encodingOf(acceptEncoding: string | string[] = ''): 'br' | 'gzip' | null {
  const taken = String(acceptEncoding)
    .split(',')
    .map((one) => one.trim().toLowerCase())
    .filter((one) => !/;\s*q=0(\.0*)?$/.test(one))
    .map((one) => one.split(';')[0]!.trim());
  return taken.includes('br') ? 'br' : taken.includes('gzip') ? 'gzip' : null;
}
