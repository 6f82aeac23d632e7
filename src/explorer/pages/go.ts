import type { Context } from '../context.ts';
import type { Asked, Redirect } from '../reply.ts';

const UNKNOWN = ['page-not-indexed', 'invalid-parameters'];
/** A host with a dot and what may follow it, without spaces. */
const BARE_URL = /^[^\s/:@?#]+\.[a-z][a-z0-9-]+(:\d+)?([/?#]\S*)?$/i;

export async function goPage({ ask, href }: Context, asked: Asked): Promise<Redirect> {
  const given = asked.text('q');
  if (given === '') return { location: href('/') };
  const urls = urlsOf(given);
  for (const url of urls) {
    const page = await ask.find(UNKNOWN, 'page', { url });
    if (page !== null) return { location: href('/explore/page', { url: page.url }) };
  }
  const [url] = urls;
  if (url !== undefined) return { location: href('/explore/page', { url }) };
  return { location: href('/explore/search', { q: given }) };
}

/** The URLs that a text may stand for, likeliest first; none where it is words. */
function urlsOf(given: string): string[] {
  if (/^https?:\/\/\S+$/i.test(given)) return [given];
  return BARE_URL.test(given) ? [`https://${given}`, `http://${given}`] : [];
}
