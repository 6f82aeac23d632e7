import { relationOf } from '../../../relations/relations.ts';
import type { RelationRecord } from '../../../store/records.ts';
import { checkedUrl } from '../../http/checked-url.ts';
import type { Reads } from '../../reads/reads.ts';
import type { PageAnswer } from '../../schemas/answers/index-answers.ts';
import { fetchedAt } from './last-seen.ts';
import { topTermsByPart } from './terms.ts';

const TERMS_A_PART = 10;

/** The body of GET /page: what is stored about a page. */
export async function pageAnswer(reads: Reads, pageId: number): Promise<PageAnswer> {
  const { facts } = reads;
  const wordRelations = facts.card.relations.filter(({ name }) => relationOf(name).features === 'words');
  const [page, gone, said, fields, captures, aliases, bags] = await Promise.all([
    reads.page(pageId),
    reads.isGone(pageId),
    reads.pageCard(pageId),
    reads.pageFields(pageId),
    reads.captures(pageId),
    reads.aliases(pageId),
    Promise.all(wordRelations.map((relation) => bagAnswer(reads, relation, pageId))),
  ]);
  return {
    url: checkedUrl(page.url),
    title: page.title,
    site: page.site,
    lang: page.lang,
    generation: facts.id,
    fetched: page.fetched,
    gone,
    image: said?.image ?? null,
    description: said?.description ?? null,
    published_at: said?.publishedAt ?? null,
    modified_at: said?.modifiedAt ?? null,
    site_name: said?.siteName ?? null,
    fields: fields as PageAnswer['fields'],
    word_count: page.wordCount,
    in_link_count: page.inLinkCount,
    out_link_count: page.outLinkCount,
    sweeps: captures.map((capture) => ({
      sweep: capture.sweep,
      fetched_at: fetchedAt(capture),
      media_type: capture.mediaType,
      charset: capture.charset,
      body_bytes: capture.bodyBytes,
    })),
    aliases: aliases.map(({ url, kind }) => ({ url: checkedUrl(url), kind })),
    bags,
  };
}

async function bagAnswer(
  reads: Reads,
  relation: RelationRecord,
  pageId: number,
): Promise<PageAnswer['bags'][number]> {
  const bag = await reads.bag(relation.id, pageId);
  const terms = await topTermsByPart(reads, relation, bag, TERMS_A_PART);
  return { by: relation.name, sum: bag.sum, terms };
}
