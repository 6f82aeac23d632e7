/** What is known of each page, and what it links to. */
import { cardFields } from '../answers/pages/card-fields.ts';
import { stateOf } from '../answers/pages/last-seen.ts';
import { LinkRowSchema, PageRowSchema } from '../schemas/answers/row-answers.ts';
import { exportKind, PAGE_FILTERS } from './export-row.ts';

const noNeeds = () => {};

export const PAGES_EXPORT = exportKind({
  describes: 'a page, with what is stored of it',
  query: PAGE_FILTERS,
  row: PageRowSchema,
  requires: noNeeds,
  // One that waits as gone has a row, as it has behind the fold.
  pages: (query) => ({ ...query, fetched: 'include' }),
  rowsOf: async (reads, { id, url, title, lang, fetched }, query) => {
    // One that came and went while it waited was never there.
    if (!fetched && (query.fetched === 'only' || (await reads.idOf(url)) < 0)) return [];
    const [page, { state, last_seen: seen }, [card]] = await Promise.all([
      reads.page(id),
      stateOf(reads, id),
      cardFields(reads, [id]),
    ]);
    return [
      {
        url,
        title,
        site: page.site,
        lang,
        fetched,
        state,
        last_sweep: seen?.sweep ?? null,
        fetched_at: seen?.fetched_at ?? null,
        word_count: page.wordCount,
        in_link_count: page.inLinkCount,
        out_link_count: page.outLinkCount,
        ...card,
      },
    ];
  },
});

const { fetched } = PAGE_FILTERS;

export const LINKS_EXPORT = exportKind({
  describes: 'a link from a page to another page of the index',
  query: { fetched },
  row: LinkRowSchema,
  requires: noNeeds,
  pages: (query) => query,
  rowsOf: async (reads, { id, url }, query) => {
    const targets = await reads.heads(await reads.links(id));
    return targets
      .filter((target) => target.fetched || query.fetched === 'include')
      .map((target) => {
        return { url, target_url: target.url, target_title: target.title, target_fetched: target.fetched };
      });
  },
});
