import type { EvaluationReport, PageExample } from '../report.ts';
import { escapeXml } from './chart.ts';
import { type Figure, reportFigures } from './report-charts.ts';
import { clusterTable, formatShare, neighborTable, type ReportTable, reportFacts } from './report-tables.ts';

const STYLE = `
:root { color-scheme: light dark; --paper: #fcfcfb; --ink: #1d1d1b; --soft: #5f5e58; --rule: #dddcd5;
  --s1: #2a6fc9; --s2: #d9622b; --s3: #14866d; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #191918; --ink: #efeee9; --soft: #b0aea5; --rule: #3a3a37;
    --s1: #6aa9f4; --s2: #f0935f; --s3: #45c3a3; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 2rem 1.25rem 4rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.1rem; font-weight: 600; color: var(--soft); margin: 0; }
.verdict { font-size: 1.6rem; line-height: 1.3; font-weight: 600; margin: .25rem 0 1.5rem; max-width: 44rem; }
h2 { font-size: 1.1rem; margin: 0 0 .25rem; }
section { margin-top: 2.25rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.25rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .9rem .3rem 0; text-align: right; border-bottom: 1px solid var(--rule); }
th { font-weight: 600; color: var(--soft); vertical-align: bottom; }
.text { text-align: left; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 28rem), 1fr)); gap: 2.25rem 2rem; }
.figures section { margin: 0; }
figure { margin: 0; }
figcaption, .soft { color: var(--soft); font-size: .9rem; margin: 0; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin: .25rem 0; padding: 0; font-size: .9rem; }
.legend li::before { content: ""; display: inline-block; width: .8em; height: .8em; margin-right: .4em;
  border-radius: 2px; background: var(--series); }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--soft); font: 13px system-ui, sans-serif; }
.s1 { --series: var(--s1); } .s2 { --series: var(--s2); } .s3 { --series: var(--s3); }
.line { fill: none; stroke: var(--series); stroke-width: 2; }
.area { fill: var(--series); fill-opacity: .15; stroke: var(--series); stroke-width: 2; stroke-linejoin: round; }
.bar, circle { fill: var(--series); }
.whisker { stroke: var(--series); stroke-width: 1.5; }
.grid { stroke: var(--rule); }
.axis { stroke: var(--soft); }
ul.notes { padding-left: 1.2rem; }
a { color: inherit; }
.examples { list-style: none; padding: 0; margin: 1rem 0 0; display: grid; gap: 1.25rem 2rem;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 28rem), 1fr)); }
.examples > li { min-width: 0; overflow-wrap: anywhere; }
.examples ol { margin: .25rem 0 0; padding-left: 1.6rem; }
.examples .missed::marker { color: var(--soft); }
.examples .missed > a { color: var(--soft); text-decoration-style: dotted; }
`;

/** The report as one page without external parts: no script, font or picture. */
export function renderHtml(report: EvaluationReport): string {
  const facts = reportFacts(report).map(
    ([name, value]) => `<dt>${escapeXml(name)}</dt><dd>${escapeXml(value)}</dd>`,
  );
  const tables = [neighborTable(report), clusterTable(report)].filter(({ rows }) => rows.length > 0);
  const figures = reportFigures(report).map(renderFigure);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Evaluation of ${escapeXml(report.index.path)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>How good the neighbors are</h1>
<p class="verdict">${escapeXml(report.verdict)}</p>
<dl>${facts.join('\n')}</dl>
${tables.map(renderTable).join('\n')}
${renderExamples(report)}
<section class="figures">
${figures.join('\n')}
</section>
<section>
<h2>How the figures are computed</h2>
<ul class="notes">${report.notes.map((note) => `<li>${escapeXml(note)}</li>`).join('\n')}</ul>
</section>
</body>
</html>
`;
}

/** Pages with their neighbors: first those that are served well, then those that are not. */
function renderExamples({ examples, judgements }: EvaluationReport): string {
  const [yes, no, unknown] =
    judgements.kind === 'labels'
      ? ['shares a label', 'shares no label', 'has no label']
      : ['relevant', 'not relevant', 'not judged'];
  const saying = (isRelevant: boolean | null) => (isRelevant === null ? unknown : isRelevant ? yes : no);
  const link = ({ url, title }: { url: string; title: string }) =>
    `<a href="${escapeXml(url)}">${escapeXml(title.trim() === '' ? url : title)}</a>`;
  const item = ({ neighbors, ...page }: PageExample) => {
    const lines = neighbors.map(
      ({ isRelevant, similarity, ...other }) =>
        `<li${isRelevant ? '' : ' class="missed"'}>${link(other)} ` +
        `<span class="soft">${saying(isRelevant)}, ${formatShare(similarity)}</span></li>`,
    );
    return `<li><strong>${link(page)}</strong>\n<ol>${lines.join('\n')}</ol></li>`;
  };
  const section = (title: string, pages: readonly PageExample[]) =>
    pages.length === 0
      ? ''
      : `<section><h2>${title}</h2><ul class="examples">${pages.map(item).join('\n')}</ul></section>`;
  return section('Best lists', examples.best) + section('Worst lists', examples.worst);
}

function renderTable({ caption, columns, rows }: ReportTable): string {
  const cell = (tag: 'th' | 'td', text: string, column: number) =>
    `<${tag}${columns[column]!.align === 'left' ? ' class="text"' : ''}>${escapeXml(text)}</${tag}>`;
  const head = columns.map(({ title }, i) => cell('th', title, i)).join('');
  const body = rows.map((row) => `<tr>${row.map((text, i) => cell('td', text, i)).join('')}</tr>`);
  return `<section><h2>${escapeXml(caption)}</h2><div class="wide"><table>
<thead><tr>${head}</tr></thead>
<tbody>${body.join('\n')}</tbody>
</table></div></section>`;
}

function renderFigure({ title, text, legend, svg }: Figure): string {
  const items = legend.map(({ series, name }) => `<li class="${series}">${escapeXml(name)}</li>`);
  return `<section><h2>${escapeXml(title)}</h2><figure>
<figcaption>${escapeXml(text)}</figcaption>
${items.length === 0 ? '' : `<ul class="legend">${items.join('')}</ul>`}
${svg}
</figure></section>`;
}
