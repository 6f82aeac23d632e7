/**
 * HTML to title, text and links in one pass over the tokens, without a tree. Nesting is a few counters, so depth
 * costs nothing.
 *
 * Choices, where the standard leaves them open or a tree would be needed:
 * - script, style, template (but one that declares a shadow tree, which browsers show), iframe, noframes, noembed, svg (icons, mostly) and noscript say nothing;
 *   noscript because a browser shows nothing of it either: of 53,293 pages of a crawl 281 have links there, which lead to counters of visits or
 *   stand on the page besides. A crawler follows them. Nor does a `section` of class akin-related: what this service
 *   listed must not count as a word or a link of the page when it is read again.
 * - textarea, select, button and what object, video and canvas hold are text.
 * - `hidden`, `aria-hidden` and styles are not looked at: a menu hidden until a click is content.
 * - White space of any kind is one space, or one line break where a block, a cell or `br` begins or
 *   ends. Soft hyphens and zero-width spaces vanish: `Donau&shy;dampf` and `foo<wbr>bar` are one word.
 * - A frame of a frameset is a link without words. That of an `iframe` is none: most are films and advertisements.
 * - An image is its alternative, set off by spaces; so are two anchors that touch.
 * - A heading ends at an end tag of any heading, or where there is none before the next heading with its line.
 * - An `a` ends at its end tag or at the next `a`. One without end tag would reach over the rest of the
 *   page; it ends at the first line break after its start instead.
 *
 * Where it differs from the standard's tree: what stands wrongly in a table stays in place, and an `a` in a table in
 * an `a` ends the outer one; a tag of a block that the tree drops breaks the line; text beside a frameset is
 * kept; an svg or math whose end tag was forgotten goes on to the next tag that cannot be in it, and script, style,
 * template and svg within math are read as outside; a NUL is white space, in raw text too; a title is cut at 500
 * characters; the query of a link is escaped as UTF-8 whatever charset the page had. In XHTML a CDATA section is text.
 *
 * The kernel reads tokens and text; what is about the page as a whole is looked at here, at the tags that it stops at.
 * Measured on 4,000 pages of a real crawl (68 MB), one thread: 510 MB/s, its links not yet resolved. Against the tree on 65,500 real pages: the same
 * title, words, links and words of links on all but 299, which are 235 with wrong tables, 34 framesets, 25 open
 * anchors, 2 long titles, 2 dropped tags and a NUL.
 *
 * Source  HTML standard, 13.2.5 (tokens) and 13.2.6.5 (foreign content).
 */

import { DocumentFacts, ROBOT } from './document-facts.ts';
import type { ExtractedPage, PageLinks } from './extracted-page.ts';
import { headingSpans } from './heading-list.ts';
import { BASE, HTML, LINK, META, TIME, WEIGHT } from './html/element-bits.ts';
import { elementOf } from './html/elements.ts';
import * as kernel from './html/html-kernel.ts';
import {
  END,
  FIRST_HEADING,
  HAS_MARKS,
  NOSCRIPT_TEXT,
  NOTHING,
  SCRIPT_START,
  SECTION_START,
  START,
  TEXT_LENGTH,
  TITLE_END,
  WATCHED_SCRIPT,
  WEIGHT_END,
} from './html/kernel-layout.ts';
import { resolvedLinks } from './link-list.ts';
import { type MarkSelectors, markSelectors } from './marks/marks.ts';
import { readMarks } from './marks/read-marks.ts';
import { WeightSpans } from './marks/weight-spans.ts';

const SECTION = elementOf('section');
const OWN_LIST = /(?:^|\s)akin-related(?:\s|$)/;
const LINKED_DATA = /^\s*application\/ld\+json\s*(;|$)/i;

export interface HtmlReading {
  /** True where nothing else counts of a page that asks not to be indexed: it is read no further. */
  readonly endsAtNoindex?: boolean;
  /** Selectors that stand for marks beside those of the page; null where the page counts whole, whatever it marks. */
  readonly selectors?: MarkSelectors | null;
  /** Product token of the robot that reads. */
  readonly agent?: string;
  /** True where links in noscript are some, too: for who runs no script, as a crawler. */
  readonly noscript?: boolean;
}

const OWN_MARKS = markSelectors('', '');

/**
 * Reads a page of HTML. Never throws: wrong HTML is read as browsers read it, as far as said above.
 *
 * Units   offsets in UTF-16 code units of `text`, 0 <= start <= end <= text.length.
 * Cost    linear in the length of `html`, whatever its nesting. A page with marks is read a second time, from its start.
 * @param url absolute http(s) URL of the page; references are resolved against it or its `<base>`.
 * @param xhtml true where `<x/>` closes x, as in application/xhtml+xml.
 */
export function extractHtml(
  html: string | kernel.JsonPage,
  url: string,
  xhtml = false,
  { endsAtNoindex = false, selectors = OWN_MARKS, agent = ROBOT, noscript = false }: HtmlReading = {},
): ExtractedPage {
  const read = (text: string | kernel.JsonPage, endsAtMarks: boolean) => {
    kernel.loadPage(text, xhtml);
    return new HtmlReader(url, agent, noscript).read(endsAtNoindex, endsAtMarks);
  };
  const isSelected = selectors !== null && selectors.body.length + selectors.ignore.length > 0;
  const page = isSelected ? null : read(html, selectors !== null);
  if (page !== null) return page;
  const marked = readMarks(String(html), xhtml, selectors!);
  return { ...read(marked.html, false)!, marks: marked.marks };
}

/** Reads the page that the kernel has loaded. */
class HtmlReader {
  readonly #facts: DocumentFacts;
  readonly #weights = new WeightSpans();
  readonly #agent: string;
  /** What stands in noscript; null where it is not asked for. */
  readonly #noscripts: string[] | null;

  constructor(url: string, agent: string, noscript: boolean) {
    this.#facts = new DocumentFacts(url, agent);
    this.#agent = agent;
    this.#noscripts = noscript ? [] : null;
  }

  /** Null for a page that has marks, where it is read no further for them. */
  read(endsAtNoindex: boolean, endsAtMarks: boolean): ExtractedPage | null {
    const { readPage } = kernel.kernel;
    const marks = Number(endsAtMarks);
    let event = readPage(1, marks);
    while (event !== NOTHING) {
      this.#see(event);
      if (endsAtNoindex && this.#facts.noindex) break;
      event = readPage(0, marks);
    }
    return endsAtMarks && kernel.values[HAS_MARKS] !== 0 ? null : this.#finish();
  }

  #finish(): ExtractedPage {
    while (kernel.kernel.closePage() !== NOTHING) this.#facts.sawTitle(kernel.titleText());
    const facts = this.#facts;
    const written = kernel.writtenLinks();
    let links: PageLinks | null = null;
    const weights = this.#weights.spans();
    const ends = kernel.headingEnds();
    const text = kernel.tidiedText();
    const fields = facts.fields.given;
    const { refresh } = facts;
    return {
      title: facts.title,
      isPlain: false,
      lang: facts.lang,
      canonical: facts.canonical,
      noindex: facts.noindex,
      nofollow: facts.nofollow,
      card: () => facts.card.card(),
      links: () => (links ??= this.#withNoscript(resolvedLinks(written, facts.base), text.length + 1)),
      text,
      headings: headingSpans(ends, text),
      ...(weights.length > 0 && { weights }),
      ...(fields !== undefined && { fields }),
      ...(refresh !== null && { refresh }),
    };
  }

  /** @param place where links stand that have no words around them. */
  #withNoscript(links: PageLinks, place: number): PageLinks {
    if (this.#noscripts === null || this.#noscripts.length === 0) return links;
    const reading = { selectors: null, agent: this.#agent };
    const page = extractHtml(this.#noscripts.join('\n'), this.#facts.base, false, reading);
    if (page.nofollow) return links;
    const { kept, droppedCount } = page.links();
    return {
      kept: [...links.kept, ...kept.map((link) => ({ ...link, start: place, end: place }))],
      droppedCount: links.droppedCount + droppedCount,
    };
  }

  #see(event: number): void {
    const { attribute } = kernel;
    const facts = this.#facts;
    switch (event) {
      case META:
        facts.sawMeta(
          attribute('name'),
          attribute('http-equiv'),
          attribute('content'),
          attribute('property') ?? attribute('itemprop'),
        );
        break;
      case LINK:
        facts.sawLink(attribute('rel'), attribute('href'));
        break;
      case BASE:
        facts.sawBase(attribute('href'));
        break;
      case HTML:
        facts.sawHtml(attribute('lang'), attribute('xml:lang'));
        break;
      case TIME:
        facts.card.sawTime(attribute('datetime'), this.#length, kernel.values[FIRST_HEADING]!);
        break;
      case WEIGHT:
        this.#weights.open(Number(attribute('value')) || 1, this.#length);
        break;
      case WEIGHT_END:
        this.#weights.close(this.#length);
        break;
      case TITLE_END:
        facts.sawTitle(kernel.titleText());
        break;
      case SCRIPT_START:
        if (LINKED_DATA.test(attribute('type') ?? '')) kernel.kernel.watchScript();
        break;
      case WATCHED_SCRIPT:
        facts.card.sawLinkedData(kernel.values[START]!, kernel.values[END]!, kernel.pageText);
        break;
      case NOSCRIPT_TEXT:
        this.#noscripts?.push(kernel.pageText(kernel.values[START]!, kernel.values[END]!));
        break;
      case SECTION_START:
        if (OWN_LIST.test(attribute('class') ?? '')) kernel.kernel.silence(SECTION);
        break;
    }
  }

  /** Of the text so far. */
  get #length(): number {
    return kernel.values[TEXT_LENGTH]!;
  }
}
