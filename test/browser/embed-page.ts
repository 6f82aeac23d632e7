/** Pages of a site of another origin that embed the service's components; for the tests of a browser. */
import { akin, app } from './origins.ts';

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
