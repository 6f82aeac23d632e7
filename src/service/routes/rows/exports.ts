/** Everything of one kind at once, a row of `exports/table.ts` a route. */
import { inChunks } from '../../exports/chunks.ts';
import { type Export, exportRows } from '../../exports/export-row.ts';
import { LINES, rowTexts } from '../../exports/row-format.ts';
import { EXPORTS } from '../../exports/table.ts';
import { route } from '../route/route.ts';

function exportRoute<Name extends keyof typeof EXPORTS>(name: Name) {
  const kind: Export & (typeof EXPORTS)[Name] = EXPORTS[name];
  return route({
    method: 'GET',
    path: `/export/${name}`,
    summary: `All at once, a line each: ${kind.describes}`,
    tag: 'export',
    query: kind.query as (typeof EXPORTS)[Name]['query'],
    answers: 'application/x-ndjson',
    line: kind.row,
    says: 'A JSON object a line, in the order of URLs, pages that wait and were not there before last. An answer that breaks off is not complete.',
    problems: [],
    scope: 'operate',
    requires: kind.requires,
    stream: (reads, query) => inChunks(rowTexts(exportRows(reads, kind, query), [], LINES.ndjson)),
  });
}

export const EXPORT_ROUTES = {
  exportRelated: exportRoute('related'),
  exportPages: exportRoute('pages'),
  exportRecords: exportRoute('records'),
  exportClusters: exportRoute('clusters'),
  exportCopies: exportRoute('copies'),
  exportMoved: exportRoute('moved'),
  exportChanges: exportRoute('changes'),
  exportLinks: exportRoute('links'),
};
