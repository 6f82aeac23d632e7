import type { LiveOptions } from '../../../src/service/app.ts';
import { type Body, fixtureApp, fixtureIndex, pathOf } from '../fixture-app.ts';
import { type FixturePage, GARDEN } from '../fixture-index.ts';

export const NEVER = { share: 2, waitMs: 1e9 };
export const LIMITS = { maxPending: 1000, maxPendingBytes: 2 ** 24, ...NEVER };
export const refused = async () => false;

export async function writable(live: Partial<LiveOptions> = {}, more = {}) {
  const indexPath = await fixtureIndex();
  const options = { ...LIMITS, run: refused, ...live };
  const app = await fixtureApp(indexPath, { live: options, ...more });
  const ask = async (method: string, url: string, payload?: string | object, headers: object = {}) => {
    const answer = await app.inject({
      method: method as 'PUT',
      url,
      headers: { ...headers },
      ...(payload !== undefined && { payload }),
    });
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: (answer.body === '' ? null : answer.json()) as Body,
    };
  };
  const put = (url: string, payload: object, headers = {}) =>
    ask('PUT', pathOf('/pages', { url }), payload, headers);
  return { app, ask, put, indexPath };
}

export const NEW = `${GARDEN}new`;
export const lines = (records: readonly unknown[]) =>
  records.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join('');
export const recordsOf = (texts: readonly string[]): FixturePage[] => texts.map((text) => JSON.parse(text));
export const NDJSON = { 'content-type': 'application/x-ndjson' };
