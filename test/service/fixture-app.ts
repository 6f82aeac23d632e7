import { join } from 'node:path';
import { after } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { type AppOptions, buildApp } from '../../src/service/app.ts';
import { openIndex } from '../../src/service/reads/shards/open-shards.ts';
import { addressAsker } from './address-asker.ts';
import { buildFixture, temporaryFolder } from './fixture-index.ts';
import { pluginApp } from './plugin-app.ts';

type Ask = (
  path: string,
  query?: Query,
) => Promise<{ status: number; headers: Headers; body: Body; text: string }>;
export type Query = Record<string, string | number | boolean | readonly string[]>;
type Headers = Record<string, string | string[] | number | undefined>;
// biome-ignore lint/suspicious/noExplicitAny: answers are checked by what the tests say of them
export type Body = any;

/** An index for all tests of a file, deleted after them. */
export async function fixtureIndex(): Promise<string> {
  const indexPath = join(temporaryFolder({ after }), 'test.akin');
  await buildFixture(indexPath);
  return indexPath;
}

/** An app over an index, closed after the tests of the file. */
export async function fixtureApp(
  indexPath: string,
  options: Partial<AppOptions> = {},
): Promise<FastifyInstance> {
  // A busy machine would have any request refused; refusing has a test of its own.
  const given = { indexPath, pollMs: 0, maxEventLoopDelayMs: 0, ...options };
  const prefix = process.env['AKIN_TEST_PREFIX'];
  const app = await (prefix === undefined ? buildApp(given) : pluginApp(prefix, given));
  after(() => app.close());
  return app;
}

export function pathOf(path: string, query: Query = {}): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) text.append(name, String(one));
  }
  return text.size === 0 ? path : `${path}?${text}`;
}

export function asker(app: FastifyInstance): Ask {
  return async (path, query) => {
    const answer = await app.inject(pathOf(path, query));
    const text = answer.body;
    const body = text.startsWith('{') ? JSON.parse(text) : null;
    return { status: answer.statusCode, headers: answer.headers, body, text };
  };
}

/** As `asker`, without a server and from the file alone. */
export async function fileAsker(indexPath: string): Promise<Ask> {
  const index = await openIndex([indexPath], { preload: false });
  after(() => index.close());
  const ask = addressAsker(index);
  return async (path, query) => {
    const { status, text } = (await ask(pathOf(path, query)))!;
    return { status, headers: {}, body: text.startsWith('{') ? JSON.parse(text) : null, text };
  };
}
