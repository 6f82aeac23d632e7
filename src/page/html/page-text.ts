/**
 * Text that has no markup, tidied as that of pages is: no white space at either end, one space or one line break between
 * words, nothing of zero width.
 */
import { kernel, loadPage, tidiedText } from './html-kernel.ts';

/** To one line. */
export function tidyLine(text: string): string {
  loadPage(text, false);
  kernel.tidyLines(1);
  return tidiedText();
}

/** A line of it for each that is not blank. */
export function tidyLines(text: string): string {
  loadPage(text, false);
  kernel.tidyLines(0);
  return tidiedText();
}
