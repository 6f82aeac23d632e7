import { relationOf } from '../../../relations/relations.ts';
import type { Generation } from '../../held/generation.ts';
import { checkedUrl } from '../../held/stored-catalog.ts';
import type { PageAnswer } from '../../schemas/index-answers.ts';
import { fetchedAt } from './last-seen.ts';
import { topTermsByPart } from './terms.ts';

const TERMS_A_PART = 10;

/** The body of GET /page: what is stored about a page. */
export function pageAnswer(generation: Generation, pageId: number): PageAnswer {
  const { reader, card } = generation;
  const page = reader.page(pageId);
  const said = reader.pageCards.get(pageId);
  return {
    url: checkedUrl(page.url),
    title: page.title,
    site: page.site,
    lang: page.lang,
    generation: generation.id,
    fetched: page.fetched,
    image: said?.image ?? null,
    description: said?.description ?? null,
    published_at: said?.publishedAt ?? null,
    modified_at: said?.modifiedAt ?? null,
    site_name: said?.siteName ?? null,
    word_count: page.wordCount,
    in_link_count: page.inLinkCount,
    out_link_count: page.outLinkCount,
    sweeps: reader.captures(pageId).map((capture) => ({
      sweep: capture.sweep,
      fetched_at: fetchedAt(capture),
      media_type: capture.mediaType,
      charset: capture.charset,
      body_bytes: capture.bodyBytes,
    })),
    aliases: reader.aliases(pageId).map(({ url, kind }) => ({ url: checkedUrl(url), kind })),
    bags: card.relations
      .filter(({ name }) => relationOf(name).features === 'words')
      .map((relation) => {
        const bag = reader.bag(relation.id, pageId);
        return {
          by: relation.name,
          sum: bag.sum,
          terms: topTermsByPart(generation, relation, bag, TERMS_A_PART),
        };
      }),
  };
}
