/**
 * A page as its marks want it read: what does not count is left out, so that the reader of pages need not know of marks.
 *
 *   <nav>…</nav><main data-akin-body>a <i data-akin-ignore>b</i></main>   becomes   <main data-akin-body>a </main>
 *
 * Title, metadata, base, language and scripts of the page stay, wherever they stand. Around a part with a weight stands an
 * element that only the reader knows. Marks in templates and in svg are none.
 */
import { BASE, BLOCK, HTML, KIND, LINK, META, TITLE } from '../html/element-bits.ts';
import { elementOf } from '../html/elements.ts';
import { closeForeign, foreignRoot, openForeign, SVG } from '../html/foreign-content.ts';
import { END, END_TAG, HtmlScanner, START_TAG } from '../html/html-scanner.ts';
import {
  MAX_WEIGHT,
  type MarkSelectors,
  OWN_BODY,
  OWN_IGNORE,
  type PageMarks,
  WEIGHT_ATTRIBUTE,
} from './marks.ts';
import { OpenElements, VOID } from './open-elements.ts';
import { fits, type SeenElement, type Selector } from './selector.ts';

const SCRIPT = elementOf('script');
const TEMPLATE = elementOf('template');

/** What is said of an element: its body and all in it counts, it stays whatever counts, it does not count. */
type Role = 'own body' | 'body' | 'head' | 'ignored';

interface OpenElement {
  readonly start: number;
  readonly roles: readonly Role[];
  readonly weight: number | null;
  /** Of each selector how many of its places are filled by this element and those around it. */
  readonly filled: readonly number[];
  readonly isTemplate: boolean;
  readonly isBlock: boolean;
}

/** Where something begins or ends to be true of the page. */
interface Edge {
  readonly at: number;
  readonly role: Role | null;
  readonly step: 1 | -1;
  /** What is written there. */
  readonly insert: string;
}

/** Cost  linear in the length of the page, times the number of selectors. */
export function readMarks(
  html: string,
  xhtml: boolean,
  selectors: MarkSelectors,
): { readonly html: string; readonly marks: PageMarks } {
  const edges = edgesOf(html, xhtml, selectors);
  const has = (role: Role) => edges.some((edge) => edge.role === role);
  const body: Role | null = has('own body') ? 'own body' : has('body') ? 'body' : null;
  const marks = {
    hasBody: body !== null,
    hasIgnored: has('ignored'),
    hasWeights: edges.some(({ insert }) => insert.startsWith('</')),
  };
  const depths = { 'own body': 0, body: 0, head: 0, ignored: 0 };
  let kept = '';
  let from = 0;
  for (const { at, role, step, insert } of edges) {
    const counts = body === null || depths[body] + depths.head > 0;
    if (counts && depths.ignored === 0) kept += html.slice(from, at);
    kept += insert;
    from = at;
    if (role !== null) depths[role] += step;
  }
  return { html: body === null && depths.ignored === 0 ? kept + html.slice(from) : kept, marks };
}

/** In the order of the page. */
function edgesOf(html: string, xhtml: boolean, selectors: MarkSelectors): Edge[] {
  const finder = new MarkFinder(new HtmlScanner(html, xhtml), xhtml, selectors);
  return finder.edges().sort((a, b) => a.at - b.at);
}

class MarkFinder {
  readonly #scanner: HtmlScanner;
  readonly #xhtml: boolean;
  readonly #roles: readonly (readonly [Role, Selector])[];
  readonly #edges: Edge[] = [];
  readonly #open = new OpenElements<OpenElement>((element) => this.#ended(element));
  #templateCount = 0;
  /** Where an element that ends now ends. */
  #end = 0;

  constructor(scanner: HtmlScanner, xhtml: boolean, { body, ignore }: MarkSelectors) {
    this.#scanner = scanner;
    this.#xhtml = xhtml;
    this.#roles = [
      ...OWN_BODY.map((selector) => ['own body', selector] as const),
      ...body.map((selector) => ['body', selector] as const),
      ...[...OWN_IGNORE, ...ignore].map((selector) => ['ignored', selector] as const),
    ];
  }

  edges(): Edge[] {
    const scanner = this.#scanner;
    for (let token = scanner.next(); token !== END; token = scanner.next()) {
      if (token === START_TAG) this.#start();
      else if (token === END_TAG) {
        closeForeign(scanner.element);
        this.#end = scanner.position;
        this.#open.close(this.#name());
      }
    }
    this.#end = scanner.html.length;
    this.#open.end();
    return this.#edges;
  }

  #start(): void {
    const scanner = this.#scanner;
    const { element: kind, isSelfClosing } = scanner;
    openForeign(kind, isSelfClosing);
    const root = foreignRoot();
    const name = this.#name();
    const start = scanner.nameStart - 1;
    this.#end = start;
    this.#open.endBefore(name);
    const isForeign = root !== 0 || kind === SVG;
    const isEmpty = VOID.has(name) || (isSelfClosing && (this.#xhtml || isForeign));
    const element = this.#read(name, kind, start, root === SVG || this.#templateCount > 0, isEmpty);
    if (element.isTemplate) this.#templateCount++;
    if (!isEmpty) {
      this.#open.open(name, element);
      return;
    }
    this.#end = scanner.position;
    this.#ended(element);
  }

  #read(name: string, kind: number, start: number, isUnmarked: boolean, isEmpty: boolean): OpenElement {
    const scanner = this.#scanner;
    const seen: SeenElement = { name, attribute: (attribute) => scanner.attribute(attribute) };
    const around = this.#open.innermost?.filled;
    const roles: Role[] = isHead(kind, scanner.isForeign) ? ['head'] : [];
    if ((kind & KIND) === HTML) this.#edge('head', start, scanner.position);
    const filled = this.#roles.map(([role, selector], i) => {
      const before = around?.[i] ?? 0;
      if (isUnmarked) return before;
      const last = selector.length - 1;
      const isNext = fits(selector[before]!, seen);
      if (before === last && isNext && !(isEmpty && role !== 'ignored')) roles.push(role);
      return before < last && isNext ? before + 1 : before;
    });
    return {
      start,
      roles,
      weight: isUnmarked || isEmpty ? null : weightOf(scanner.attribute(WEIGHT_ATTRIBUTE)),
      filled,
      isTemplate: kind === TEMPLATE && !isEmpty && !this.#isShadowRoot(),
      isBlock: (kind & KIND) === BLOCK,
    };
  }

  /** As the kernel knows it: its text counts. */
  #isShadowRoot(): boolean {
    return !this.#xhtml && /^(?:open|closed)$/i.test(this.#scanner.attribute('shadowrootmode') ?? '');
  }

  #ended({ start, roles, weight, isTemplate, isBlock }: OpenElement): void {
    if (isTemplate) this.#templateCount--;
    for (const role of roles) {
      // What stood between two words must not join them.
      const isGap = (role === 'ignored' || role.endsWith('body')) && isBlock;
      this.#edge(role, start, this.#end, isGap ? '<br>' : '');
    }
    if (weight !== null)
      this.#edge(null, start, this.#end, `<akin-weight value="${weight}">`, '</akin-weight>');
  }

  #edge(role: Role | null, start: number, end: number, before = '', after = ''): void {
    this.#edges.push(
      { at: start, role, step: 1, insert: before },
      { at: end, role, step: -1, insert: after },
    );
  }

  #name(): string {
    const { html, nameStart, nameEnd } = this.#scanner;
    return html.slice(nameStart, nameEnd).toLowerCase();
  }
}

/** What is said of the whole page. */
function isHead(element: number, isForeign: boolean): boolean {
  const kind = element & KIND;
  if (kind === TITLE) return !isForeign;
  return kind === META || kind === LINK || kind === BASE || element === SCRIPT;
}

/** A whole number of times that a word counts; null for what is none. */
function weightOf(text: string | null): number | null {
  const weight = text === null || !/^\d{1,2}$/.test(text) ? 0 : Number(text);
  return weight >= 1 && weight <= MAX_WEIGHT ? weight : null;
}
