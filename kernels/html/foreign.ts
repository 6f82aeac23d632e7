/**
 * AssemblyScript: where a page is in svg or math, whose elements are not those of HTML: there `<title>` and `<style>` hold
 * markup, and a few start tags of HTML say that the end tag was forgotten.
 *
 * Source  HTML standard, 13.2.6.5 (rules for foreign content), without `font` and `annotation-xml`.
 */
// @ts-nocheck: compiled by asc, not by tsc.

import {
  END_ENDS_FOREIGN,
  ENDS_FOREIGN,
  FOREIGN_ROOT,
  HOLDS_HTML_IN_MATH,
  HOLDS_HTML_IN_SVG,
} from '../../src/page/html/element-bits';
import { FOREIGN_ROOT_NOW, IS_FOREIGN, SVG } from '../../src/page/html/kernel-layout';
import { get, put } from './state';

/** The svg or math we are in, 0 outside, and how many of its name are open. */
export let root: u32 = 0;
let rootDepth: u32 = 0;
/** The element in it that holds HTML, 0 where there is none, and how many of its name are open. */
let island: u32 = 0;
let islandDepth: u32 = 0;
/** Whether the rules for foreign content hold. */
export let isForeign: bool = false;

function note(): void {
  isForeign = root !== 0 && island === 0;
  put(FOREIGN_ROOT_NOW, root);
  put(IS_FOREIGN, isForeign);
}

/** Begins a page, outside or, for tests, in the given svg or math. */
export function startForeign(within: u32): void {
  root = within;
  rootDepth = 1;
  island = 0;
  islandDepth = 0;
  note();
}

/** Takes note of a start tag; `isEmpty` where it closes itself. */
export function openForeign(element: u32, isEmpty: bool): void {
  if (root === 0 && (element & FOREIGN_ROOT) === 0) return;
  if (isForeign && (element & ENDS_FOREIGN) !== 0) root = 0;
  if (root === 0) {
    if ((element & FOREIGN_ROOT) !== 0 && !isEmpty) {
      root = element;
      rootDepth = 1;
    }
  } else if (island === 0) {
    if (!isEmpty) {
      const holdsHtml = root === get(SVG) ? HOLDS_HTML_IN_SVG : HOLDS_HTML_IN_MATH;
      if (element === root) {
        ++rootDepth;
      } else if ((element & holdsHtml) !== 0) {
        island = element;
        islandDepth = 1;
      }
    }
  } else if (element === island) {
    ++islandDepth;
  }
  note();
}

/** Takes note of an end tag. */
export function closeForeign(element: u32): void {
  if (root === 0 || element === 0) return;
  if (isForeign && (element & END_ENDS_FOREIGN) !== 0) {
    root = 0;
  } else if (element === island) {
    if (--islandDepth === 0) island = 0;
  } else if (element === root && --rootDepth === 0) {
    root = 0;
    island = 0;
  }
  note();
}
