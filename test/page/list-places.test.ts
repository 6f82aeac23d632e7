/** Places for lists in pages, each with what it becomes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listPlaces, withList, withoutList } from '../../src/page/html/list-places.ts';

const LIST = '<section class="akin-related">x</section>\n';
const MARK = '<!-- akin-related -->';
const END = '<!-- /akin-related -->';
const CASES: readonly (readonly [html: string, filled: string])[] = [
  [`a${MARK}b`, `a${MARK}${LIST}${END}b`],
  [`${MARK}a${MARK}b`, `${MARK}${LIST}${END}a${MARK}${LIST}${END}b`],
  ['<AKIN-related limit=3></akin-related>', `<AKIN-related limit=3>${LIST}</akin-related>`],
  [`<akin-related>${MARK}</akin-related>`, `<akin-related>${MARK}${LIST}${END}</akin-related>`],
  ['<akin-related>own text</akin-related>', '<akin-related>own text</akin-related>'],
  ['<akin-related>', '<akin-related>'],
  [`a${END}b`, `a${END}b`],
  [
    `<script>"${MARK}"</script><textarea>${MARK}</textarea>`,
    `<script>"${MARK}"</script><textarea>${MARK}</textarea>`,
  ],
];

test('a place gets the list, keeps it, and is as before without it', () => {
  for (const [html, filled] of CASES) {
    assert.equal(withList(html, listPlaces(html), LIST), filled);
    assert.equal(withList(filled, listPlaces(filled), LIST), filled);
    assert.equal(withoutList(filled, listPlaces(filled)), html);
  }
});
