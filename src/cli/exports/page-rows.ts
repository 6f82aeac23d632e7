import { EXPORTS } from '../../service/exports/table.ts';
import type { Source } from './run-export.ts';

/** An export of the service: rows that are made page by page. */
export function pageRows(name: keyof typeof EXPORTS): Source {
  const kind = EXPORTS[name];
  return {
    name,
    query: kind.query,
    columns: kind.columns as Source['columns'],
    run: async (index, reads, query, onPages, write) => {
      const { exportRows } = await import('../../service/exports/export-row.ts');
      kind.requires(index.facts, query);
      await write(exportRows(reads, kind, query, onPages));
      return '';
    },
  };
}
