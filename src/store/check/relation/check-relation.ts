import { BLOCK_PAGES } from '../../../join/exact/postings.ts';
import type { StoredRelation } from '../../../relations/relation.ts';
import { findStoredRelation } from '../../../relations/relations.ts';
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
import type { Checked } from './checked.ts';

/** One broken invariant: what was expected and what is there. */
export type Faults = string[];

/** Tries an invariant, under its name. */
export type Run = (name: string, check: (faults: Faults) => void) => void;

/** A relation in hand. */
interface RelationCheck {
  readonly relation: RelationRecord;
  readonly run: (name: string, check: (checked: Checked) => void) => void;
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
export function checkRelation(reader: IndexReader, relation: RelationRecord, run: Run): void {
  const kind = findStoredRelation(relation.name);
  if (kind === undefined) {
    run('relations', (found) => found.push(`no build writes the relation ${JSON.stringify(relation.name)}`));
    return;
  }
  let folded: FoldedSketches | undefined;
  let own: OwnFeatureSets | undefined;
  const check: RelationCheck = {
    relation,
    run: (name, check) => run(name, (faults) => check({ reader, relation, faults })),
    sketches: () => (folded ??= foldedSketches(reader)),
    ownFeatures: () => (own ??= ownFeatureSets(reader)),
  };
  CHECK_NEIGHBORS[kind.neighbors](check);
  CHECK_CLUSTERS[kind.clusters](check);
}

function checkNearestBags({ relation: { name, floor, measure }, run }: RelationCheck): void {
  run(`${name} features`, checkFeatures);
  run(`${name} bags`, checkBags);
  run(`${name} postings`, (checked) => checkPostings(checked, BLOCK_PAGES));
  run(`${name} neighbors`, (checked) => checkNeighbors(checked, floor));
  if (measure === 'estimate') run(`${name} signatures`, checkSignatures);
}

function checkSharedShingles({ relation: { name }, run, sketches }: RelationCheck): void {
  run(`${name} shingles`, ({ reader, faults }) => checkShingles(reader, faults));
  // An excerpt is listed however little it resembles the whole.
  run(`${name} neighbors`, (checked) => checkNeighbors(checked, 0));
  run(`${name} resemblances`, (checked) => checkResemblances(checked, sketches()));
}

function checkOwnFeatures({ relation, run, ownFeatures }: RelationCheck): void {
  run(`${relation.name} neighbors`, (checked) => {
    // It has no bags to compare: figures are compared with the features.
    checkNeighbors({ ...checked, relation: { ...relation, measure: 'estimate' } }, 0);
    checkFeatureNeighbors(checked, ownFeatures());
  });
}

function checkMeaning({ relation: { name, profile }, run }: RelationCheck): void {
  run(`${name} vectors ${profile}`, checkVectors);
  run(`${name} neighbors ${profile}`, (checked) => {
    checkNeighbors(checked, 0);
    checkVectorNeighbors(checked);
  });
}

function checkComponents({ relation: { name }, run, ownFeatures }: RelationCheck): void {
  run(`${name} clusters`, (checked) => {
    checkMembers(checked);
    checkFeatureClusters(checked, ownFeatures());
  });
}

function checkNestedClusters({ relation: { name }, run }: RelationCheck): void {
  run(`${name} clusters`, checkClusters);
  run(`${name} hierarchy`, checkHierarchy);
  run(`${name} centers`, checkCenters);
}

function checkClusterings({ relation: { name }, run, sketches }: RelationCheck): void {
  run(`${name} clusters`, (checked) => checkCopyClusters(checked, sketches()));
}

/** Ids are dense and ascend from rare to frequent. */
function checkFeatures({ reader, relation, faults }: Checked): void {
  const sql = 'SELECT id, page_count FROM feature WHERE relation_id = ? ORDER BY id';
  let expected = 0;
  let previous = 0;
  for (const [id, n] of reader.file.tuples<[id: number, n: number]>(sql, relation.id)) {
    if (id !== expected++) faults.push(`feature ids are not dense at ${id}`);
    if (n < previous) faults.push(`feature ${id} is rarer than the one before`);
    previous = n;
  }
}
