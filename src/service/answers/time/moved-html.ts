import type { Words } from '../../../embed/languages.js';
import { escapeHtml } from '../../http/html.ts';
import type { MovedAnswer, MovedCandidateAnswer } from '../../schemas/answers/time-answers.ts';

/** What is said above the candidates of a strength; what is gone is not shown. */
const HEADINGS = { now_at: 'now', parts_in: 'parts', perhaps: 'perhaps' } as const;

/** A fragment for a 404 page: no script, no style, only class names that begin with `akin-`. */
export function movedHtml(moved: Pick<MovedAnswer, 'candidates' | 'state'>, words: Words): string {
  const there = moved.candidates.filter(({ strength }) => strength !== 'gone');
  const known = new Set(there.map(({ url }) => url));
  // What had the text and is lost: where its own text is now.
  const further = moved.candidates.flatMap(({ now_at: nowAt, ...one }): MovedCandidateAnswer[] => {
    if (nowAt === null || known.has(nowAt.url)) return [];
    known.add(nowAt.url);
    return [{ ...one, ...nowAt, now_at: null, strength: 'perhaps', passage: null, last_seen: null }];
  });
  const candidates = [...there, ...further];
  if (candidates.length === 0) {
    const reason = moved.state === 'not_indexed' ? 'not_indexed' : 'nowhere';
    return `<section class="akin-moved" data-reason="${reason}"></section>\n`;
  }
  const groups = Map.groupBy(candidates, ({ strength }) => strength);
  const parts = Array.from(groups, ([strength, some]) => {
    const items = some.map(item).join('');
    return `<h2 class="akin-heading">${words[HEADINGS[strength as keyof typeof HEADINGS]]}</h2>\n<ul class="akin-list" data-strength="${strength}">\n${items}</ul>\n`;
  });
  return `<section class="akin-moved">\n${parts.join('')}</section>\n`;
}

function item({ url, title, passage, last_seen: seen }: MovedCandidateAnswer): string {
  const name = title.trim() === '' ? url : title;
  const link = `<a class="akin-link" href="${escapeHtml(url)}" rel="noopener" dir="auto">${escapeHtml(name)}</a>`;
  const path = `<span class="akin-path" dir="ltr">${escapeHtml(url.replace(/^https?:\/\//, ''))}</span>`;
  const day = seen?.fetched_at?.slice(0, 'YYYY-MM-DD'.length);
  const time = day === undefined ? '' : ` <time class="akin-time" datetime="${day}">${day}</time>`;
  const text = passage === null ? '' : `<p class="akin-description" dir="auto">${escapeHtml(passage)}</p>`;
  return `<li class="akin-item">${link} ${path}${time}${text}</li>\n`;
}
