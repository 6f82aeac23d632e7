/** A capture as the page that an index keeps: what its source says goes before what the page says, but for its language. */
import { cardDate, descriptionOf, imageUrl, type PageCard } from '../../page/card/page-card.ts';
import { type DecodedText, decodeBody, decodeText } from '../../page/decode.ts';
import { ROBOT, titleOf } from '../../page/document-facts.ts';
import type { HtmlReading } from '../../page/extract-html.ts';
import { extractPage } from '../../page/extract-page.ts';
import type { ExtractedPage, PageLinks } from '../../page/extracted-page.ts';
import {
  type FieldKind,
  ofKinds,
  packFields,
  readFields,
  unpackFields,
} from '../../page/fields/page-fields.ts';
import type { JsonPage } from '../../page/html/html-kernel.ts';
import { MAX_LINKS } from '../../page/html/kernel-layout.ts';
import { tidyLine } from '../../page/html/page-text.ts';
import { robotsRules } from '../../page/robots-rules.ts';
import { primarySubtag } from '../../text/primary-subtag.ts';
import { canonicalUrl } from '../../url/canonical-url.ts';
import { CanonicalResolver, TOO_LONG } from '../../url/http-reference.ts';
import type { Capture } from './record.ts';

/** What the source and the HTTP headers say. */
type SaidOf = Pick<Capture, 'mediaType' | 'title' | 'lang' | 'canonical' | 'robots' | 'links' | 'card'>;

/** What the body of a capture says, by every reader of captures; null for binary data. */
export function decodedCapture(
  body: Uint8Array,
  { isText, charset }: Pick<Capture, 'isText' | 'charset'>,
): DecodedText | null {
  return isText ? decodeText(body) : decodeBody(body, charset);
}

/** @param text the body, decoded; `url` is the canonical one of the page. */
export function capturedPage(
  text: string | JsonPage,
  capture: SaidOf,
  url: string,
  reading: HtmlReading,
): ExtractedPage {
  const page = extractPage(text, capture.mediaType, url, reading);
  const robots = robotsRules(capture.robots, ROBOT);
  return {
    ...page,
    title: capture.title === null ? page.title : titleOf(tidyLine(capture.title)),
    lang: page.lang ?? primarySubtag(capture.lang),
    canonical: (capture.canonical === null ? null : canonicalUrl(capture.canonical, url)) ?? page.canonical,
    noindex: page.noindex || robots.noindex,
    nofollow: page.nofollow || robots.nofollow,
    card: () => withCard(page.card(), capture, url),
    links: () => withLinks(page.links(), capture, url, page.text.length + 1),
  };
}

/**
 * Fields of a page, as `packFields` packs them: those that its source gives, else those in its head, without the values that are not
 * of the kind that was declared; and what is wrong with them.
 */
export function fieldsOf(
  given: Pick<Capture, 'fields' | 'badFields'>,
  page: Pick<ExtractedPage, 'fields'>,
  declared: Readonly<Record<string, FieldKind>>,
): Pick<Capture, 'fields' | 'badFields'> {
  const isOfHead = given.fields === '' && given.badFields === null && page.fields !== undefined;
  const read = isOfHead ? readFields(page.fields) : (given.badFields ?? unpackFields(given.fields));
  if (typeof read === 'string') return { fields: '', badFields: read };
  const { fields, fault } = ofKinds(read, declared);
  return { fields: packFields(fields), badFields: fault };
}

function withCard(card: PageCard, { card: given }: SaidOf, url: string): PageCard {
  if (given === null) return card;
  return {
    ...card,
    image: imageUrl(given.image, url) ?? card.image,
    description: descriptionOf(given.description) ?? card.description,
    publishedAt: cardDate(given.publishedAt) ?? card.publishedAt,
    modifiedAt: cardDate(given.modifiedAt) ?? card.modifiedAt,
  };
}

/** The links that the source gives come behind those of the page, where no words are around them. */
function withLinks(links: PageLinks, capture: SaidOf, url: string, behind: number): PageLinks {
  if (capture.links.length === 0) return links;
  const room = MAX_LINKS - links.kept.length;
  const resolver = new CanonicalResolver(url);
  const given = capture.links.slice(0, room).map((link) => resolver.resolve(link));
  const kept = [...links.kept];
  let droppedCount = links.droppedCount + Math.max(0, capture.links.length - room);
  for (const target of given) {
    if (target === TOO_LONG) droppedCount++;
    else if (target !== null) kept.push({ target, start: behind, end: behind, nofollow: false });
  }
  return { kept, droppedCount };
}
