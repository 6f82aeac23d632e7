import { BLOCK_PAGES } from '../../../join/exact/postings.ts';
import type { StoredRelation } from '../../../relations/relation.ts';
import { findStoredRelation } from '../../../relations/relations.ts';
import type { Db } from '../../database.ts';
import type { IndexReader } from '../../read/reader.ts';
import type { RelationRecord } from '../../records.ts';
import { checkBags, checkPostings } from './check-bags.ts';
import { checkCenters } from './check-centers.ts';
import { checkClusters, checkMembers } from './check-clusters.ts';
import { checkResemblances, type FoldedSketches, foldedSketches } from './check-copies.ts';
import { checkCopyClusters } from './check-copy-clusters.ts';
import { checkHierarchy } from './check-hierarchy.ts';
import { checkNeighbors } from './check-neighbors.ts';
import {
  checkFeatureClusters,
  checkFeatureNeighbors,
  type OwnFeatureSets,
  ownFeatureSets,
} from './check-own-features.ts';
import { checkSignatures } from './check-signatures.ts';
import { checkVectorNeighbors, checkVectors } from './check-vectors.ts';
import { checkShingles } from './check-versions.ts';

/** One broken invariant: what was expected and what is there. */
export type Faults = string[];

/** Tries an invariant, under its name. */
export type Run = (name: string, check: (faults: Faults) => void) => void;

/** A relation in hand. */
interface RelationCheck {
  readonly db: Db;
  readonly reader: IndexReader;
  readonly relation: RelationRecord;
  readonly run: Run;
  /** Made at the first call. */
  readonly sketches: () => FoldedSketches;
  readonly ownFeatures: () => OwnFeatureSets;
}

/** Tries the neighbors of a relation and what they come from, by how they are found. */
const CHECK_NEIGHBORS: Readonly<Record<StoredRelation['neighbors'], (check: RelationCheck) => void>> = {
  'nearest bags': checkNearestBags,
  'shared shingles': checkSharedShingles,
  'own features': checkOwnFeatures,
  'nearest vectors': checkMeaning,
};

/** Tries its clusters, by their kind. */
const CHECK_CLUSTERS: Readonly<Record<StoredRelation['clusters'], (check: RelationCheck) => void>> = {
  hierarchy: checkNestedClusters,
  clusterings: checkClusterings,
  components: checkComponents,
  none: () => {},
};

/** Tries all that a relation says of the pages. */
export function checkRelation(db: Db, reader: IndexReader, relation: RelationRecord, run: Run): void {
  const kind = findStoredRelation(relation.name);
  if (kind === undefined) {
    run('relations', (found) => found.push(`no build writes the relation ${JSON.stringify(relation.name)}`));
    return;
  }
  let folded: FoldedSketches | undefined;
  let own: OwnFeatureSets | undefined;
  const check = {
    ...{ db, reader, relation, run },
    sketches: () => (folded ??= foldedSketches(reader)),
    ownFeatures: () => (own ??= ownFeatureSets(reader)),
  };
  CHECK_NEIGHBORS[kind.neighbors](check);
  CHECK_CLUSTERS[kind.clusters](check);
}

function checkNearestBags({ db, reader, relation, run }: RelationCheck): void {
  const { name } = relation;
  run(`${name} features`, (found) => checkFeatures(db, relation, found));
  run(`${name} bags`, (found) => checkBags(reader, relation, found));
  run(`${name} postings`, (found) => checkPostings(db, reader, relation, BLOCK_PAGES, found));
  run(`${name} neighbors`, (found) => checkNeighbors(reader, relation, relation.floor, found));
  if (relation.measure === 'estimate') {
    run(`${name} signatures`, (found) => checkSignatures(db, reader, relation, found));
  }
}

function checkSharedShingles({ reader, relation, run, sketches }: RelationCheck): void {
  const { name } = relation;
  run(`${name} shingles`, (found) => checkShingles(reader, found));
  // An excerpt is listed however little it resembles the whole.
  run(`${name} neighbors`, (found) => checkNeighbors(reader, relation, 0, found));
  run(`${name} resemblances`, (found) => checkResemblances(reader, relation, sketches(), found));
}

function checkOwnFeatures({ reader, relation, run, ownFeatures }: RelationCheck): void {
  const { name } = relation;
  run(`${name} neighbors`, (found) => {
    // It has no bags to compare: figures are compared with the features.
    checkNeighbors(reader, { ...relation, measure: 'estimate' }, 0, found);
    checkFeatureNeighbors(reader, relation, ownFeatures(), found);
  });
}

function checkMeaning({ reader, relation, run }: RelationCheck): void {
  const { name, profile } = relation;
  run(`${name} vectors ${profile}`, (found) => checkVectors(reader, relation, found));
  run(`${name} neighbors ${profile}`, (found) => {
    checkNeighbors(reader, relation, 0, found);
    checkVectorNeighbors(reader, relation, found);
  });
}

function checkComponents({ db, reader, relation, run, ownFeatures }: RelationCheck): void {
  run(`${relation.name} clusters`, (found) => {
    checkMembers(db, reader, relation, found);
    checkFeatureClusters(reader, relation, ownFeatures(), found);
  });
}

function checkNestedClusters({ db, reader, relation, run }: RelationCheck): void {
  const { name } = relation;
  run(`${name} clusters`, (found) => checkClusters(db, reader, relation, found));
  run(`${name} hierarchy`, (found) => checkHierarchy(db, reader, relation, found));
  run(`${name} centers`, (found) => checkCenters(db, reader, relation, found));
}

function checkClusterings({ db, reader, relation, run, sketches }: RelationCheck): void {
  const name = `${relation.name} clusters`;
  run(name, (found) => checkCopyClusters(db, reader, relation, sketches(), found));
}

/** Ids are dense and ascend from rare to frequent. */
function checkFeatures(db: Db, relation: RelationRecord, faults: Faults): void {
  const rows = db
    .prepare('SELECT id, page_count AS n FROM feature WHERE relation_id = ? ORDER BY id')
    .iterate(relation.id) as IterableIterator<{ id: number; n: number }>;
  let expected = 0;
  let previous = 0;
  for (const { id, n } of rows) {
    if (id !== expected++) faults.push(`feature ids are not dense at ${id}`);
    if (n < previous) faults.push(`feature ${id} is rarer than the one before`);
    previous = n;
  }
}
