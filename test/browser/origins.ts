/** A service of the fixture, a site of another origin, and a browser; for the tests of components. */
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
