/** Pages of a site of another origin that have the service's search box; for the tests of a browser. */
import { akin, app } from './origins.ts';

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
