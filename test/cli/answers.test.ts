/** Answers for people say it where they are not all that there is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderCover } from '../../src/cli/answers/copy-lists.ts';
import { renderRelated } from '../../src/cli/answers/related-list.ts';
import { renderMoved } from '../../src/cli/answers/time-lists.ts';

const url = 'https://lost.example/';
const lost = { url, title: 'Lost', state: 'gone', gone: true, last_seen: null, lost: null } as const;
const more = { generation: '0', next: null };
const page = {
  url,
  title: 'Copy',
  fetched: true,
  similarity: 0.9,
  measure: 'exact',
  same_site: true,
} as const;

test('a list of copies or of new places that a bound has cut says so', () => {
  const texts = (complete: boolean) => [
    renderMoved({ ...lost, ...more, candidates: [], complete }),
    renderRelated({ related: [page], empty_reason: null, complete }),
    renderRelated({ related: [], empty_reason: 'template', complete }),
    renderCover({ pages: [], remainder: 1, measure: 'exact', complete } as never),
  ];
  for (const text of texts(true)) assert.doesNotMatch(text, /looked at/);
  for (const text of texts(false)) assert.match(text, /\n\nsome pages were not looked at$/);
  assert.doesNotMatch(renderRelated({ related: [page], empty_reason: null }), /looked at/);
});
