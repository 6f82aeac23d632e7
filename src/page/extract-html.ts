/**
 * HTML to title, text and links in one pass over the tokens, without a tree. Nesting is a few counters, so depth
 * costs nothing.
 *
 * Choices, where the standard leaves them open or a tree would be needed:
 * - script, style, template, iframe, noframes, noembed, svg (icons, mostly) and noscript say nothing;
 *   noscript because a browser shows nothing of it either. Nor does a `section` of class akin-related: what this service
 *   listed must not count as a word or a link of the page when it is read again.
 * - textarea, select, button and what object, video and canvas hold are text.
 * - `hidden`, `aria-hidden` and styles are not looked at: a menu hidden until a click is content.
 * - White space of any kind is one space, or one line break where a block, a cell or `br` begins or
 *   ends. Soft hyphens and zero-width spaces vanish: `Donau&shy;dampf` and `foo<wbr>bar` are one word.
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
 * Measured on 5,327 pages of a real crawl (64 MB), one thread: 210 MB/s, 17,500 pages/s, two fifths of it in the
 * scanner; driven by the tokenizer of htmlparser2 it was 76 MB/s. Against the tree on 65,500 real pages: the same
 * title, words, links and words of links on all but 299, which are 235 with wrong tables, 34 framesets, 25 open
 * anchors, 2 long titles, 2 dropped tags and a NUL.
 *
 * Source  HTML standard, 13.2.5 (tokens) and 13.2.6.5 (foreign content).
 */

import { DocumentFacts } from './document-facts.ts';
import type { ExtractedPage, PageLinks } from './extracted-page.ts';
import { HeadingList } from './heading-list.ts';
import { appendResolved } from './html/character-references.ts';
import {
  ANCHOR,
  AREA,
  BASE,
  BLOCK,
  elementOf,
  FOREIGN_ROOT,
  HEADING,
  HTML,
  IMAGE,
  KIND,
  LINK,
  META,
  SILENT,
  SPACED,
  TIME,
  TITLE,
  WEIGHT,
} from './html/elements.ts';
import { ForeignContent, SVG } from './html/foreign-content.ts';
import { END, END_TAG, HtmlScanner, START_TAG, TEXT } from './html/html-scanner.ts';
import { PageText } from './html/page-text.ts';
import { LinkList } from './link-list.ts';
import { type MarkSelectors, markSelectors } from './marks/marks.ts';
import { readMarks } from './marks/read-marks.ts';
import { WeightSpans } from './marks/weight-spans.ts';

const H1 = elementOf('h1');
const SECTION = elementOf('section');
const OWN_LIST = /(?:^|\s)akin-related(?:\s|$)/;
const SCRIPT = elementOf('script');
const LINKED_DATA = /^\s*application\/ld\+json\s*(;|$)/i;

/** They serve page after page: new ones would have to grow for each. */
const pageText = new PageText();
const titleText = new PageText();

export interface HtmlReading {
  /** True where nothing else counts of a page that asks not to be indexed: it is read no further. */
  readonly endsAtNoindex?: boolean;
  /** Selectors that stand for marks beside those of the page; null where the page counts whole, whatever it marks. */
  readonly selectors?: MarkSelectors | null;
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
  html: string,
  url: string,
  xhtml = false,
  { endsAtNoindex = false, selectors = OWN_MARKS }: HtmlReading = {},
): ExtractedPage {
  const read = (text: string, endsAtMarks: boolean) => {
    pageText.clear();
    titleText.clear();
    return new HtmlReader(new HtmlScanner(text, xhtml), url, xhtml).read(endsAtNoindex, endsAtMarks);
  };
  const isSelected = selectors !== null && selectors.body.length + selectors.ignore.length > 0;
  const page = isSelected ? null : read(html, selectors !== null);
  if (page !== null) return page;
  const marked = readMarks(html, xhtml, selectors!);
  return { ...read(marked.html, false)!, marks: marked.marks };
}

class HtmlReader {
  readonly #scanner: HtmlScanner;
  readonly #xhtml: boolean;
  readonly #facts: DocumentFacts;
  readonly #links = new LinkList(pageText);
  readonly #headings = new HeadingList(pageText);
  readonly #foreign = new ForeignContent();
  readonly #weights = new WeightSpans(pageText);

  /** Where text goes: to the page's or, in a title, to that. */
  #text = pageText;
  /** The silent element we are in, 0 outside, and how many of its name are open; an svg is not counted here. */
  #silent = 0;
  #silentDepth = 0;
  /** In a script of JSON-LD. */
  #isLinkedData = false;

  constructor(scanner: HtmlScanner, url: string, xhtml: boolean) {
    this.#scanner = scanner;
    this.#xhtml = xhtml;
    this.#facts = new DocumentFacts(url);
  }

  /** Null for a page that has marks, where it is read no further for them. */
  read(endsAtNoindex: boolean, endsAtMarks: boolean): ExtractedPage | null {
    this.#readTokens(endsAtNoindex, endsAtMarks);
    return endsAtMarks && this.#scanner.hasMarks ? null : this.#finish();
  }

  /** By itself: V8 compiles the loop while the first page is read, and what stood behind it would undo that. */
  #readTokens(endsAtNoindex: boolean, endsAtMarks: boolean): void {
    const scanner = this.#scanner;
    for (let token = scanner.next(); token !== END; token = scanner.next()) {
      if (token === TEXT) this.#readText();
      else if (token === START_TAG) {
        this.#readStartTag(scanner.element);
        if ((endsAtMarks && scanner.hasMarks) || (endsAtNoindex && this.#facts.noindex)) return;
      } else if (token === END_TAG) this.#close(scanner.element);
    }
  }

  #finish(): ExtractedPage {
    this.#endTitle();
    this.#links.close(true);
    const facts = this.#facts;
    const list = this.#links;
    let links: PageLinks | null = null;
    const weights = this.#weights.spans();
    const text = pageText.finish();
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
      links: () => (links ??= list.resolve(facts.base)),
      text,
      headings: this.#headings.spans(text),
      ...(weights.length > 0 && { weights }),
      ...(fields !== undefined && { fields }),
      ...(refresh !== null && { refresh }),
    };
  }

  #readText(): void {
    if (this.#silent !== 0 || this.#foreign.root === SVG) {
      if (this.#isLinkedData)
        this.#facts.card.sawLinkedData(this.#scanner.html, this.#scanner.start, this.#scanner.end);
      return;
    }
    const { html, units, start, end, hasReferences } = this.#scanner;
    if (hasReferences) appendResolved(this.#text, html, units, start, end);
    else this.#text.appendUnits(units, start, end);
  }

  #readStartTag(element: number): void {
    const scanner = this.#scanner;
    const foreign = this.#foreign;
    if (foreign.root !== 0 || (element & FOREIGN_ROOT) !== 0) {
      foreign.open(element, scanner.isSelfClosing);
      scanner.isForeign = foreign.isForeign;
      if (foreign.root === SVG || element === SVG) return;
    }
    if (element === 0) return;
    if (this.#silent === 0) this.#open(element);
    else if (element === this.#silent) this.#silentDepth++;
    if (this.#xhtml && scanner.isSelfClosing) this.#close(element);
  }

  #open(element: number): void {
    switch (element & KIND) {
      case SILENT:
        this.#silence(element);
        this.#isLinkedData = element === SCRIPT && LINKED_DATA.test(this.#attribute('type') ?? '');
        break;
      case BLOCK:
        this.#text.lineBreak();
        if ((element & HEADING) !== 0) this.#headings.open(element === H1);
        if (element === H1) this.#facts.card.sawHeading(pageText.length);
        else if (element === SECTION && OWN_LIST.test(this.#attribute('class') ?? '')) this.#silence(element);
        break;
      case SPACED:
        this.#text.space();
        break;
      case ANCHOR:
        this.#links.open(this.#attribute('href'), this.#attribute('rel'));
        break;
      case AREA: {
        const href = this.#attribute('href');
        if (href !== undefined) this.#links.area(href, this.#attribute('rel'), this.#attribute('alt') ?? '');
        break;
      }
      case IMAGE:
        this.#text.space();
        this.#text.append(this.#attribute('alt') ?? '');
        this.#text.space();
        break;
      case META:
        this.#facts.sawMeta(
          this.#attribute('name'),
          this.#attribute('http-equiv'),
          this.#attribute('content'),
          this.#attribute('property') ?? this.#attribute('itemprop'),
        );
        break;
      case LINK:
        this.#facts.sawLink(this.#attribute('rel'), this.#attribute('href'));
        break;
      case BASE:
        this.#facts.sawBase(this.#attribute('href'));
        break;
      case HTML:
        this.#facts.sawHtml(this.#attribute('lang'), this.#attribute('xml:lang'));
        break;
      case TIME:
        this.#facts.card.sawTime(this.#attribute('datetime'), pageText.length);
        break;
      case WEIGHT:
        this.#weights.open(Number(this.#attribute('value')) || 1);
        break;
      case TITLE:
        if (!this.#foreign.isForeign) this.#text = titleText;
        break;
    }
  }

  #silence(element: number): void {
    this.#silent = element;
    this.#silentDepth = 1;
  }

  #close(element: number): void {
    const foreign = this.#foreign;
    if (foreign.root !== 0) {
      const wasSvg = foreign.root === SVG;
      foreign.close(element);
      this.#scanner.isForeign = foreign.isForeign;
      if (wasSvg && (foreign.root === SVG || element === SVG)) return;
    }
    if (this.#silent !== 0) {
      if (element === this.#silent && --this.#silentDepth === 0) {
        this.#silent = 0;
        this.#isLinkedData = false;
      }
      return;
    }
    const kind = element & KIND;
    if (kind === BLOCK) {
      this.#text.lineBreak();
      if ((element & HEADING) !== 0) this.#headings.close();
    } else if (kind === ANCHOR) this.#links.close(false);
    else if (kind === TITLE) this.#endTitle();
    else if (kind === WEIGHT) this.#weights.close();
  }

  #endTitle(): void {
    if (this.#text === titleText) this.#facts.sawTitle(titleText.finish());
    titleText.clear();
    this.#text = pageText;
  }

  /** Of the tag just read. */
  #attribute(name: string): string | undefined {
    return this.#scanner.attribute(name) ?? undefined;
  }
}
