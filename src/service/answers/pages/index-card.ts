import { filteredBands, sharedRecall } from '../../../join/printed/s-curve.ts';
import { foundBlend, foundVectors } from '../../../relations/meaning.ts';
import { relationOf } from '../../../relations/relations.ts';
import { TOPIC, TOPIC_PROFILES, type TopicProfile } from '../../../relations/topic.ts';
import type { CopyClusteringRecord, RelationRecord } from '../../../store/records.ts';
import { sixDecimals } from '../../http/six-decimals.ts';
import type { Reads } from '../../reads/reads.ts';
import type { IndexAnswer } from '../../schemas/answers/index-answers.ts';

const CURVE_SIMILARITIES = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** The body of GET /index. */
export async function indexAnswer(reads: Reads): Promise<IndexAnswer> {
  const { linkRelations } = reads.facts;
  const { card } = await reads.describe();
  return {
    generation: card.generation,
    built_at: new Date(card.builtAtMs).toISOString(),
    akin_version: card.akinVersion,
    page_count: card.pageCount,
    fetched_page_count: card.fetchedPageCount,
    alias_count: card.aliasCount,
    cluster_count: card.clusterCount,
    size_bytes: card.sizeBytes,
    relations: card.relations.map((relation) => ({
      by: relation.name,
      profile: relation.profile,
      measure: relation.measure,
      neighbor_limit: relation.neighborLimit,
      floor: relation.floor,
      ...(relation.kernel !== null && { kernel: relation.kernel }),
      ...(relationOf(relation.name).clusters === 'clusterings' && {
        clusterings: card.copyClusterings.map(clusteringAnswer),
      }),
      ...curveOf(relation, card.parameters),
    })),
    link_relations: [...linkRelations],
    sweeps: card.sweeps.map((sweep) => ({
      name: sweep.name,
      record_count: sweep.recordCount,
      started_at: new Date(sweep.startedAtMs).toISOString(),
      whole_site_count: sweep.covered.sites.length,
      crawled_host_count: sweep.covered.hosts.length,
      skipped: { ...sweep.skipped },
      skipped_files: { ...sweep.skippedFiles },
    })),
    vectors: [...foundVectors(card.parameters)],
    blend: foundBlend(card.parameters),
    fields: card.fields.map(({ name, kind, pageCount }) => ({ name, kind, page_count: pageCount })),
    parameters: shownParameters(card.parameters),
    stages: card.stages.map((stage) => ({
      name: stage.name,
      record_count: stage.recordCount,
      duration_ms: stage.durationMs,
      processor_ms: stage.processorMs,
    })),
  };
}

/** Of the classes of pages their number: there may be many. What is said of vectors has places of its own. */
function shownParameters(all: Readonly<Record<string, unknown>>) {
  const { classes, vectors: _vectors, blend: _blend, ...parameters } = all;
  return Array.isArray(classes) ? { ...parameters, classes: classes.length } : parameters;
}

function clusteringAnswer({ name, measure, threshold, clusterCount, pageCount }: CopyClusteringRecord) {
  return { name, measure, threshold, cluster_count: clusterCount, page_count: pageCount };
}

/** The theoretical S-curve of a relation whose pairs come from LSH-signatures; nothing for an exact one. */
function curveOf(relation: RelationRecord, parameters: Readonly<Record<string, unknown>>) {
  if (relation.name !== TOPIC.name) return {};
  const { signature } = TOPIC_PROFILES[relation.profile as TopicProfile['name']];
  if (signature === null) return {};
  const bands = filteredBands(signature, relation.floor, Number(parameters['filter_values'] ?? signature.m));
  const points = CURVE_SIMILARITIES.map((similarity) => ({
    similarity,
    recall: Math.min(1, sixDecimals(sharedRecall(similarity, bands))),
  }));
  return { s_curve: points };
}
