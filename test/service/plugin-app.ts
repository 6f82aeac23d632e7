/** The plugin for Fastify under a prefix, as an app at the root of a host: the tests of the service run over it. */
import assert from 'node:assert/strict';
import { gunzipSync, gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance, type InjectOptions, type LightMyRequestResponse } from 'fastify';
import { type AkinOptions, akin } from '../../src/library/fastify.ts';
import type { AppOptions } from '../../src/service/app.ts';

/** What begins a link to the service itself in JSON, HTML and headers. */
const OWN_LINK =
  /(["'(<=])(\/(?:related|similar|page|pages|cluster|clusters|search|moved|history|changes|compare|group|index|export|docs|openapi\.json|embed|explore|feedback|cover|links)(?![\w-]))/g;

/** The app; what it answers is looked at, and shown as it would be at the root. */
export async function pluginApp(
  prefix: string,
  { indexPath, logger, extend, ...options }: AppOptions,
): Promise<FastifyInstance> {
  const isInstance = logger !== undefined && typeof logger === 'object' && 'child' in logger;
  const site: FastifyInstance = Fastify({
    ...((isInstance ? { loggerInstance: logger } : { logger }) as object),
    // Tests that make their own address of host and port ask at the root.
    rewriteUrl: ({ url = '/' }) => (url.startsWith(`${prefix}/`) ? url : prefix + url),
  });
  let service: FastifyInstance | undefined;
  const inside = (app: FastifyInstance) => {
    service = app;
    extend?.(app);
  };
  await site.register(akin, { ...(options as AkinOptions), ...{ extend: inside }, index: indexPath, prefix });
  await site.ready();
  const inject = site.inject.bind(site) as (request: InjectOptions) => Promise<LightMyRequestResponse>;
  return Object.create(site, {
    holder: { value: service!.holder },
    inject: {
      value: async (request: InjectOptions | string) => {
        const asked = typeof request === 'string' ? { url: request } : request;
        return atRoot(prefix, String(asked.url), await inject({ ...asked, url: prefix + asked.url }));
      },
    },
    listen: { value: async (where: object) => `${await site.listen(where)}${prefix}` },
  });
}

/** The answer as at the root; each of its own links must have the prefix. */
function atRoot(prefix: string, path: string, answer: LightMyRequestResponse): LightMyRequestResponse {
  const shown =
    JSON.stringify(answer.headers['location'] ?? '') + JSON.stringify(answer.headers['link'] ?? '');
  // Routes have their names there, which are no links.
  if (!/^\/(?:openapi|metrics)/.test(path)) {
    for (const [link] of `${shown}${answer.body}`.matchAll(OWN_LINK)) {
      assert.fail(`${path} has ${link} without ${prefix}`);
    }
  }
  const strip = (text: string) => text.replaceAll(`${prefix}/`, '/').replaceAll(prefix, '/');
  const headers = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? strip(value) : value,
    ]),
  );
  const body = strip(answer.body);
  const stripBytes = (bytes: Buffer) => Buffer.from(strip(bytes.toString('latin1')), 'latin1');
  const isPacked = headers['content-encoding'] === 'gzip';
  const rawPayload = isPacked
    ? gzipSync(stripBytes(gunzipSync(answer.rawPayload)), { level: 9 })
    : stripBytes(answer.rawPayload);
  return Object.create(answer, {
    headers: { value: headers },
    body: { value: body },
    payload: { value: body },
    rawPayload: { value: rawPayload },
    json: { value: () => JSON.parse(body) },
  });
}
