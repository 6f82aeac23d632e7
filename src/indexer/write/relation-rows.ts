import { COPY, COPY_NEIGHBOR_LIMIT } from '../../relations/copy.ts';
import { KERNELS } from '../../relations/kernels.ts';
import { type FoundVectors, MEANING, MEANING_NEIGHBOR_LIMIT } from '../../relations/meaning.ts';
import { OWN_FEATURES, OWN_FEATURES_NEIGHBOR_LIMIT } from '../../relations/own-features.ts';
import { TOPIC, TOPIC_PROFILES } from '../../relations/topic.ts';
import type { RelationRecord } from '../../store/records.ts';
import type { CopyOptions, TopicOptions } from '../options/build-options.ts';
import { copyParameters } from '../options/copy-parameters.ts';

const BY_SIMILARITY = { rank: 'similarity', kernel: null } as const;

/** What an index says of its relation by words. */
export function topicRow({
  profile: name,
  neighborLimit,
  floor,
  kernel: asked,
}: TopicOptions): RelationRecord {
  const { measure, rank } = TOPIC_PROFILES[name];
  const kernel = rank === 'votes' ? asked : null;
  const least = kernel !== null && !KERNELS[kernel].hasFloor ? 0 : floor;
  return {
    id: TOPIC.id,
    name: TOPIC.name,
    profile: name,
    measure,
    neighborLimit,
    floor: least,
    rank,
    kernel,
  };
}

/** What an index says of its relation by wording. */
export function copyRow(options: CopyOptions): RelationRecord {
  const { profile, threshold } = copyParameters(options);
  const { id, name } = COPY;
  const neighborLimit = COPY_NEIGHBOR_LIMIT;
  return { id, name, profile, measure: 'estimate', neighborLimit, floor: threshold, ...BY_SIMILARITY };
}

/** What an index says of its relation by own features. */
export function featuresRow(options: CopyOptions): RelationRecord {
  const { id, name } = OWN_FEATURES;
  const { threshold: floor } = copyParameters(options);
  const neighborLimit = OWN_FEATURES_NEIGHBOR_LIMIT;
  return { id, name, profile: 'akin', measure: 'exact', neighborLimit, floor, ...BY_SIMILARITY };
}

/** What an index says of its relation by the vectors of one name. */
export function meaningRow(found: readonly FoundVectors[], i: number): RelationRecord {
  const { name } = MEANING;
  const neighborLimit = MEANING_NEIGHBOR_LIMIT;
  const profile = found[i]!.name;
  return {
    id: MEANING.id + i,
    name,
    profile,
    measure: 'estimate',
    neighborLimit,
    floor: 0,
    ...BY_SIMILARITY,
  };
}
