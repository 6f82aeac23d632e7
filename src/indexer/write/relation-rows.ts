import { COPY, COPY_NEIGHBOR_LIMIT } from '../../relations/copy.ts';
import { TOPIC, TOPIC_PROFILES } from '../../relations/topic.ts';
import type { RelationRecord } from '../../store/records.ts';
import type { CopyOptions, TopicOptions } from '../options/build-options.ts';
import { copyParameters } from '../options/copy-parameters.ts';

/** What an index says of its relation by words. */
export function topicRow({ profile: name, neighborLimit, floor }: TopicOptions): RelationRecord {
  const { measure, rank } = TOPIC_PROFILES[name];
  return { id: TOPIC.id, name: TOPIC.name, profile: name, measure, neighborLimit, floor, rank };
}

/** What an index says of its relation by wording. */
export function copyRow(options: CopyOptions): RelationRecord {
  const { profile, threshold } = copyParameters(options);
  const { id, name } = COPY;
  const neighborLimit = COPY_NEIGHBOR_LIMIT;
  return { id, name, profile, measure: 'estimate', neighborLimit, floor: threshold, rank: 'similarity' };
}
