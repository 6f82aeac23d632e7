/**
 * Where the page being scanned is in svg or math, whose elements are not those of HTML: there `<title>` and `<style>` hold
 * markup, and a few start tags of HTML say that the end tag was forgotten.
 *
 * Source  HTML standard, 13.2.6.5 (rules for foreign content), without `font` and `annotation-xml`.
 */
import { elementOf } from './elements.ts';
import { kernel, values } from './html-kernel.ts';
import { FOREIGN_ROOT_NOW } from './kernel-layout.ts';

export const SVG = elementOf('svg');

/** The svg or math that is open, 0 where none is. */
export function foreignRoot(): number {
  return values[FOREIGN_ROOT_NOW]!;
}

/** Takes note of a start tag; `isEmpty` where it closes itself. */
export function openForeign(element: number, isEmpty: boolean): void {
  kernel.openForeign(element, Number(isEmpty));
}

/** Takes note of an end tag. */
export function closeForeign(element: number): void {
  kernel.closeForeign(element);
}
