/** Numbers of the local build by which a job's own joins go too: they reach it by `akin-stage NAME --describe`. */
import { LEAST_HOST_PAGES, LEAST_HOST_SHARE } from 'akin-web/rooms/cluster/host-words';
import { LEAST_LABEL_SCORE } from 'akin-web/rooms/cluster/label';
import type { ShapingOptions } from 'akin-web/rooms/indexer/options/build-options';
import { copyParameters } from 'akin-web/rooms/indexer/options/copy-parameters';
import { TOPIC_NEIGHBORS } from 'akin-web/rooms/indexer/relate/clusters';
import { NAMING_ROWS } from 'akin-web/rooms/indexer/shards/naming-rows';
import { MAX_SHARDS } from 'akin-web/rooms/indexer/shards/split-index';
import { LABEL_TERMS } from 'akin-web/rooms/indexer/write/clusters/cluster-labels';
import { REVERSE_LIMIT } from 'akin-web/rooms/join/buckets/space/join-space';
import { BLOCK_REPETITIONS, CAP, DEPTH } from 'akin-web/rooms/join/buckets/steps/split-buckets';
import { EQUAL_NEARNESS } from 'akin-web/rooms/join/pairs/nearness';
import { VOTERS } from 'akin-web/rooms/join/pairs/votes';
import { COPY, COPY_NEIGHBOR_LIMIT } from 'akin-web/rooms/relations/copy';
import { TOPIC } from 'akin-web/rooms/relations/topic';
import { DIGEST_BYTES } from 'akin-web/rooms/store/blobs/plain-text';
import { FILE_CAPTURES } from './pages/decide.ts';
import { SHARD_ROWS } from './shards/shard.ts';

/**
 * Formulas of the local build as the joins of the job need them: in SQL, beside the function that each of them is. A test
 * holds the two equal.
 */
export const FORMULAS = {
  /** `labelScore` of cluster/label.ts. */
  labelScore: '(weight / total) * ln((weight / total) * total_of_all / in_all) * pages / size',
  /** `topicWeight` of cluster/topic-graph.ts; a list that is not there is null. */
  topicWeight: 'score / sqrt(own * coalesce(other, own))',
};

export function sharedNumbers(options: ShapingOptions) {
  const copies = copyParameters(options);
  return {
    relations: { topic: TOPIC.id, copy: COPY.id },
    captures: { perFile: FILE_CAPTURES, digestBytes: DIGEST_BYTES },
    buckets: { cap: CAP, depth: DEPTH, blockRepetitions: BLOCK_REPETITIONS, reverse: REVERSE_LIMIT },
    lists: {
      voters: VOTERS,
      equalNearness: EQUAL_NEARNESS,
      topicNeighbors: TOPIC_NEIGHBORS,
      copyNeighbors: COPY_NEIGHBOR_LIMIT,
    },
    labels: {
      terms: LABEL_TERMS,
      leastScore: LEAST_LABEL_SCORE,
      leastHostPages: LEAST_HOST_PAGES,
      leastHostShare: LEAST_HOST_SHARE,
    },
    formulas: FORMULAS,
    shards: { most: MAX_SHARDS, rows: SHARD_ROWS, naming: NAMING_ROWS },
    templates: { share: copies.template_share, minimumPages: copies.template_minimum_pages },
  };
}
