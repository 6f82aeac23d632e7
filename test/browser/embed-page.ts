/** A site of another origin than the service, with pages that embed its components; for the tests of a browser. */
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
export const akin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
const { path, integrity } = (await app.inject('/embed.json')).json();
export const SCRIPT_URL = `${akin}${path}`;
const SCRIPT = `<script type="module" src="${SCRIPT_URL}" integrity="${integrity}" crossorigin></script>`;
/** Only the service may be asked, and nothing written into the page has an effect. */
export const POLICY = {
  'content-security-policy': `default-src 'none'; script-src ${akin}; connect-src ${akin}; style-src 'self'`,
};

export function document(body: string, { lang = 'en', dir = 'ltr', head = '' } = {}): string {
  return `<!doctype html><html lang="${lang}" dir="${dir}"><meta charset="utf-8"><title>A page of a site</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
${SCRIPT}${head}<main><h1>A page</h1>${body}</main></html>`;
}
