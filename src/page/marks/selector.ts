/**
 * The part of CSS selectors that can be decided at a start tag: tags, `.class`, `#id`, `[name]`, `[name=value]`, several of
 * these for one element, elements within elements, and several selectors with commas between.
 */
import { parse, type Selector as Token } from 'css-what';

/** An element as a selector sees it. */
export interface SeenElement {
  /** In lower case. */
  readonly name: string;
  /** Null where there is none. */
  attribute(name: string): string | null;
}

type Test = (element: SeenElement) => boolean;

/** What an element must be, and before it what elements around it must be, the outermost first. */
export type Selector = readonly (readonly Test[])[];

/** Null for a text that is no selector of this kind. */
export function parseSelectors(text: string): readonly Selector[] | null {
  try {
    const selectors = parse(text).map(selectorOf);
    return selectors.length === 0 ? null : selectors;
  } catch {
    return null;
  }
}

/** Whether an element is what a place of a selector asks for. */
export function fits(tests: Selector[number], element: SeenElement): boolean {
  return tests.every((test) => test(element));
}

function selectorOf(tokens: readonly Token[]): Selector {
  const parts: Test[][] = [[]];
  for (const token of tokens) {
    if (token.type === 'descendant') parts.push([]);
    else parts.at(-1)!.push(testOf(token));
  }
  return parts;
}

/** Errors  SyntaxError for what cannot be decided at a start tag, or is of no use here. */
function testOf(token: Token): Test {
  if (token.type === 'tag' && token.namespace === null) {
    const name = token.name.toLowerCase();
    return (element) => element.name === name;
  }
  if (token.type === 'attribute' && token.namespace === null && token.ignoreCase !== true) {
    const { action, value } = token;
    const name = token.name.toLowerCase();
    if (action === 'exists') return (element) => element.attribute(name) !== null;
    if (action === 'equals') return (element) => element.attribute(name) === value;
    if (action === 'element') {
      return (element) => (element.attribute(name) ?? '').split(/[ \t\n\f\r]/).includes(value);
    }
  }
  throw new SyntaxError(token.type);
}
