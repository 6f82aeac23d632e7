import type { Context } from '../context.ts';
import type { Asked, Redirect } from '../reply.ts';

const UNKNOWN = ['page-not-indexed', 'invalid-parameters'];
/** A host with a dot and what may follow it, without spaces. */
const BARE_URL = /^[^\s/:@?#]+\.\p{L}[\p{L}\p{N}-]+(:\d+)?([/?#]\S*)?$/u;

export async function goPage({ ask, href }: Context, asked: Asked): Promise<Redirect> {
  const given = asked.text('q');
  if (given === '') return { location: href('/') };
  const urls = urlsOf(given);
  if (urls.length === 0 && isText(given)) return { location: href('/explore/text', { text: given }) };
  for (const url of urls) {
    const page = await ask.find(UNKNOWN, 'page', { url });
    if (page !== null) return { location: href('/explore/page', { url: page.url }) };
  }
  const [url] = urls;
  if (url !== undefined && !(await isOfPages(ask, given)))
    return { location: href('/explore/page', { url }) };
  return { location: href('/explore/search', { q: given }) };
}

/** The URLs that a text may stand for, likeliest first; none where it is words. */
function urlsOf(given: string): string[] {
  if (/^https?:\/\/\S+$/i.test(given)) return [given];
  return BARE_URL.test(given) ? [`https://${given}`, `http://${given}`] : [];
}

/** More than any question that people type, as `assets/box.js` has it. */
function isText(given: string): boolean {
  return given.length > 300 || given.split(/\s+/).length > 25;
}

/** Whether a word looks like a host, and some page has it: `node.js`. */
async function isOfPages(ask: Context['ask'], given: string): Promise<boolean> {
  if (/[/:]/.test(given)) return false;
  const found = await ask.find(['search-not-in-index', 'invalid-parameters'], 'search', {
    q: given,
    limit: 1,
  });
  return found !== null && found.total > 0;
}
