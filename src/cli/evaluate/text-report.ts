import { renderTable } from '../terminal/table.ts';
import type { EvaluationReport } from './report.ts';
import { clusterTable, neighbourTable, reportFacts, similarityTable } from './report-tables.ts';

/** The report for a terminal. */
export function renderText(report: EvaluationReport): string {
  const facts = reportFacts(report)
    .map(([name, value]) => `${name.padEnd(12)}${value}`)
    .join('\n');
  const tables = [neighbourTable(report), clusterTable(report), similarityTable(report)]
    .filter(({ rows }) => rows.length > 0)
    .map(({ caption, columns, rows }) => `${caption}\n${renderTable(columns, rows)}`);
  const notes = report.notes.map((note) => `- ${note}`).join('\n');
  return [facts, ...tables, notes].join('\n\n');
}
