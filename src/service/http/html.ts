import type { ProblemAnswer } from '../schemas/answers/problem-answers.ts';

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as it may stand in HTML, in an attribute too. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/** Whether an Accept header names HTML, and does not prefer JSON. */
export function prefersHtml(accept: string | undefined): boolean {
  const html = qualityOf(accept, ['text/html', 'application/xhtml+xml']);
  return html > 0 && html >= qualityOf(accept, ['application/json', 'application/problem+json']);
}

/** The greatest `q` at which one of the types is named; 0 where none is. */
function qualityOf(accept = '', types: readonly string[]): number {
  const qualities = accept.split(',').map((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    if (!types.includes(type!)) return 0;
    const quality = parameters.find((one) => one.startsWith('q='));
    return quality === undefined ? 1 : Number(quality.slice(2)) || 0;
  });
  return Math.max(...qualities);
}

/** A problem as a page for people. */
export function problemHtml({ status, title, detail }: ProblemAnswer): string {
  const heading = escapeHtml(`${title} (${status})`);
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${heading}</title></head>
<body>
<h1>${heading}</h1>
<p>${escapeHtml(detail)}</p>
</body>
</html>
`;
}
