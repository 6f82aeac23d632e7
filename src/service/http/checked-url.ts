import { CorruptError } from '../../errors.ts';
import { cutText } from '../../lib/cut-text.ts';

/** What canonical URLs are made of: http or https, ASCII, nothing that JSON or HTML text would have to escape. */
const CANONICAL = /^https?:\/\/[!#-[\]-~]+$/;

/**
 * A URL of an index, for an answer: the file may have been written by anybody.
 *
 * Errors  CorruptError AKIN_ERR_INDEX_CORRUPT for one that no build writes, such as `javascript:`.
 */
export function checkedUrl(url: string): string {
  if (CANONICAL.test(url)) return url;
  throw new CorruptError(
    'AKIN_ERR_INDEX_CORRUPT',
    `the index has a page at ${JSON.stringify(cutText(url, 100))}, which is no web address`,
    {
      hint: 'build it again: akin index INPUT... --to FILE',
    },
  );
}
