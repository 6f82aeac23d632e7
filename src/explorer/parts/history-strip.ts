/** A page over the sweeps: a column a capture, as high as its text is new. Two captures can be compared. */

import { type Html, html } from '../../service/http/markup.ts';
import type { CaptureAnswer, HistoryAnswer } from '../../service/schemas/answers/time-answers.ts';
import type { Context } from '../context.ts';
import { archived } from './archived.ts';
import { count, day, percent } from './figures.ts';

const CHANGE_TEXTS: Readonly<Record<CaptureAnswer['changed'], string>> = {
  first: 'first seen',
  identical: 'the same',
  lexically_equal: 'the same words',
  shingle_equal: 'the same passages',
  minor: 'changed a little',
  major: 'changed',
  rewritten: 'rewritten',
};

/** Nothing for a page that was seen once. */
export function historyStrip({ href, json }: Context, history: HistoryAnswer): Html {
  const { captures, total, url } = history;
  if (total < 2) return html``;
  return html`<section aria-labelledby="history">
<h2 id="history">History</h2>
<form action="${href('/explore/compare')}">
<input type="hidden" name="a" value="${url}">
<ol class="strip">${captures.map(
    (capture) =>
      html`<li><label>${column(capture)}<span><input type="checkbox" name="capture" value="${capture.sweep}"> <bdi>${capture.sweep}</bdi></span>
<small>${capture.fetched_at !== null && html`${day(capture.fetched_at)} `}${CHANGE_TEXTS[capture.changed]}${
        capture.resemblance !== null &&
        capture.resemblance < 1 &&
        html`, ${percent(capture.resemblance)} alike`
      }</small></label>${archived(capture)}</li>\n`,
  )}</ol>
<p class="facts">Seen ${count(total, 'time')}${captures.length < total && html`, the first ${count(captures.length)} here`}. Choose two, and <button class="plain">compare</button> them. <a href="${json('history', { url, limit: 100 })}">As JSON</a></p>
</form>
</section>`;
}

function column({ changed, resemblance }: CaptureAnswer): Html {
  const change = changed === 'first' ? 1 : Math.max(0.04, 1 - (resemblance ?? 1));
  const height = Math.round(32 * change);
  return html`<svg class="${changed === 'first' ? 'begin' : 'change'}" viewBox="0 0 10 32" aria-hidden="true"><rect class="ground" width="10" height="32"/><rect class="fill" y="${32 - height}" width="10" height="${height}"/></svg>`;
}
