/** A site of another origin than the service, with pages that have its search box; for the tests of a browser. */
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { fixtureApp, fixtureIndex } from '../service/fixture-app.ts';
import { openChromium } from './chromium.ts';
import { openSite } from './site.ts';

const found = await openChromium();
export const browser = typeof found === 'string' ? null : found;
export const skip = typeof found === 'string' ? found : false;
export const site = await openSite();
after(async () => {
  await browser?.close();
  site.close();
});

export const app = await fixtureApp(await fixtureIndex());
await app.listen({ port: 0, host: '127.0.0.1' });
const akin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
const { path, integrity } = (await app.inject('/akin-search.json')).json();
export const POLICY = {
  'content-security-policy': `default-src 'none'; script-src ${akin}; connect-src ${akin}; form-action 'self'`,
};
export function document(body: string, lang = 'en'): string {
  return `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>A page of a site</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<script type="module" src="${akin}${path}" integrity="${integrity}" crossorigin></script>
<main><h1>A page</h1>${body}</main></html>`;
}
