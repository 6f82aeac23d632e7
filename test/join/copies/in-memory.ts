/** The join of copies, and their relation, with all that they find in memory: those of a build leave it in files. */
import {
  type CopyRelationOptions,
  type CopyStore,
  relateCopies,
} from '../../../src/join/copies/copy-relation.ts';
import type { CopyFactSource } from '../../../src/join/copies/pages-at-hand.ts';
import { PageKnowledge } from '../../../src/join/copies/pages-at-hand.ts';
import type { CopyPairs } from '../../../src/join/copies/pair-checks.ts';
import { DEFAULT_SHINGLE_JOIN, type ShingleJoinOptions } from '../../../src/join/copies/sketch-comparison.ts';
import type { CopyRoom } from '../../../src/join/copies/space/copy-memory.ts';
import { WHOLE_ROOM } from '../../../src/join/copies/space/copy-memory.ts';
import { KeyParts } from '../../../src/join/copies/space/key-parts.ts';
import { countTemplatePairs } from '../../../src/join/copies/template-pairs.ts';
import { markTemplates, type Templates } from '../../../src/join/copies/template-shingles.ts';
import { type SketchSource, sourceOf } from '../../../src/sketch/sketch-source.ts';
import type { SketchTable } from '../../../src/sketch/sketch-table.ts';

const COLUMNS = ['a', 'b', 'shared', 'ofA', 'ofB', 'template'] as const;

class MemoryStore implements CopyStore {
  readonly listNumbers: Uint32Array[] = [];
  readonly found: CopyPairs[] = [];
  readonly lists = {
    append: (numbers: Uint32Array) => void this.listNumbers.push(numbers.slice()),
    // In pieces that end anywhere.
    *blocks(this: { all(): Uint32Array }) {
      const numbers = this.all();
      for (let at = 0; at < numbers.length; at += 7) yield numbers.subarray(at, at + 7);
    },
    all: () => Uint32Array.from(this.listNumbers.flatMap((numbers) => [...numbers])),
  };
  readonly pairs = {
    append: (pairs: CopyPairs) => void this.found.push(pairs),
    blocks: () => this.found,
  };

  all(): CopyPairs {
    const column = (name: (typeof COLUMNS)[number]) => {
      const column = new Uint32Array(this.found.reduce((sum, { a }) => sum + a.length, 0));
      let at = 0;
      for (const pairs of this.found) {
        column.set(pairs[name], at);
        at += pairs.a.length;
      }
      return column;
    };
    return Object.fromEntries(COLUMNS.map((name) => [name, column(name)])) as unknown as CopyPairs;
  }
}

/** As relateCopies(), with the pairs. */
export function relateTable(
  table: SketchTable | SketchSource,
  facts: CopyFactSource,
  options: CopyRelationOptions,
  room: CopyRoom = WHOLE_ROOM,
) {
  const store = new MemoryStore();
  const source = 'blocks' in table ? table : sourceOf(table);
  const relation = relateCopies(source, facts, options, store, room);
  return { ...relation, pairs: store.all() };
}

/** Sketches that are handed out as if they were in a file, so many pages at a time. */
export function inBlocks(table: SketchTable, blockPages: number): SketchSource {
  const source = sourceOf(table);
  return {
    ...source,
    table: null,
    *blocks() {
      for (let first = 0; first < table.pageCount; first += blockPages) {
        const end = Math.min(table.pageCount, first + blockPages);
        const pages = Uint32Array.from({ length: end - first }, (_, i) => first + i);
        yield { first, table: source.pick(pages) };
      }
    },
  };
}

/** All pairs that share shingles and reach the threshold, without second opinions. */
export function joinShingles(table: SketchTable, options: ShingleJoinOptions = DEFAULT_SHINGLE_JOIN) {
  const siteOfPage = Uint32Array.from({ length: table.pageCount }, (_, page) => page);
  const plain = { clusterings: [], template: null, sameSiteAgreement: 0, sure: 1 };
  return relateTable(table, { siteOfPage }, { ...plain, join: options });
}

/** As countTemplatePairs(), of a table. */
export function templatePairsOf(
  table: SketchTable,
  templates: Templates,
  facts: CopyFactSource,
  join: ShingleJoinOptions,
  mostCompared?: number,
) {
  const source = sourceOf(table);
  const parts = new KeyParts({ ...source, keyCount: table.keys.length }, 1);
  const { siteOfPage } = facts;
  const { counts } = markTemplates(table, siteOfPage, templates);
  const knowledge = new PageKnowledge(parts, facts, join, templates);
  return countTemplatePairs(source, knowledge, counts, siteOfPage, join, Infinity, mostCompared);
}
