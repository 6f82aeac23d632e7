import { findTemplates, type TemplateOptions, type Templates } from '../join/copies/template-shingles.ts';
import { sketchAt, tableOfPages } from '../sketch/sketch-table.ts';
import type { IndexEditor } from '../store/editor.ts';
import type { FoldedVersions } from './folded-versions.ts';

const NO_KEYS = new Float64Array(0);

/**
 * Templates of all hosts, those of the touched ones found anew and written where they are others than before.
 *
 * Shape    known: the stored templates, by host.
 * Returns  the templates by number of the host, and the folded pages that lose or gain a key by them.
 */
export function renewTemplates(
  editor: IndexEditor,
  known: ReadonlyMap<string, Float64Array>,
  { table, facts, hostNames }: FoldedVersions,
  touchedHosts: ReadonlySet<string>,
  options: TemplateOptions,
): { readonly templates: Templates; readonly changed: readonly number[] } {
  const isTouched = hostNames.map((name) => touchedHosts.has(name));
  const { siteOfPage } = facts;
  const chosen = Uint32Array.from(siteOfPage.keys()).filter((page) => isTouched[siteOfPage[page]!]);
  const hosts = chosen.map((page) => siteOfPage[page]!);
  const fresh = findTemplates(tableOfPages(table, chosen), hosts, options);
  const templates = new Map<number, Float64Array>();
  const flipped = new Map<number, Set<number>>();
  for (const [host, name] of hostNames.entries()) {
    const stored = known.get(name) ?? NO_KEYS;
    const now = isTouched[host] ? (fresh.get(host) ?? NO_KEYS) : stored;
    if (now.length > 0) templates.set(host, now);
    const others = new Set(now).symmetricDifference(new Set(stored));
    if (others.size === 0) continue;
    flipped.set(host, others);
    if (now.length > 0) editor.templateShingles(name, now);
    else editor.removeTemplate(name);
  }
  for (const name of known.keys()) if (!hostNames.includes(name)) editor.removeTemplate(name);
  const isFlipped = (page: number) => {
    const keys = flipped.get(siteOfPage[page]!);
    return keys !== undefined && sketchAt(table, page).keys.some((key) => keys.has(key));
  };
  return { templates, changed: Array.from(chosen).filter(isFlipped) };
}
