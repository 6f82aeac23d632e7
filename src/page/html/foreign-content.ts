/**
 * Where a page is in svg or math, whose elements are not those of HTML: there `<title>` and `<style>` hold
 * markup, and a few start tags of HTML say that the end tag was forgotten.
 *
 * Source  HTML standard, 13.2.6.5 (rules for foreign content), without `font` and `annotation-xml`.
 */
import {
  END_ENDS_FOREIGN,
  ENDS_FOREIGN,
  elementOf,
  FOREIGN_ROOT,
  HOLDS_HTML_IN_MATH,
  HOLDS_HTML_IN_SVG,
} from './elements.ts';

export const SVG = elementOf('svg');

export class ForeignContent {
  /** The svg or math we are in, 0 outside, and how many of its name are open. */
  #root = 0;
  #rootDepth = 0;
  /** The element in it that holds HTML, 0 where there is none, and how many of its name are open. */
  #island = 0;
  #islandDepth = 0;

  /** The svg or math that is open, 0 where none is. */
  get root(): number {
    return this.#root;
  }

  /** True where the rules for foreign content hold. */
  get isForeign(): boolean {
    return this.#root !== 0 && this.#island === 0;
  }

  /** Takes note of a start tag; `isEmpty` where it closes itself. */
  open(element: number, isEmpty: boolean): void {
    if (this.isForeign && (element & ENDS_FOREIGN) !== 0) this.#root = 0;
    if (this.#root === 0) {
      if ((element & FOREIGN_ROOT) === 0 || isEmpty) return;
      this.#root = element;
      this.#rootDepth = 1;
    } else if (this.#island === 0) {
      if (isEmpty) return;
      const holdsHtml = this.#root === SVG ? HOLDS_HTML_IN_SVG : HOLDS_HTML_IN_MATH;
      if (element === this.#root) {
        this.#rootDepth++;
      } else if ((element & holdsHtml) !== 0) {
        this.#island = element;
        this.#islandDepth = 1;
      }
    } else if (element === this.#island) {
      this.#islandDepth++;
    }
  }

  close(element: number): void {
    if (element === 0) return;
    if (this.isForeign && (element & END_ENDS_FOREIGN) !== 0) {
      this.#root = 0;
    } else if (element === this.#island) {
      if (--this.#islandDepth === 0) this.#island = 0;
    } else if (element === this.#root && --this.#rootDepth === 0) {
      this.#root = 0;
      this.#island = 0;
    }
  }
}
