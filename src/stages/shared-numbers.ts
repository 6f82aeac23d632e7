/** Numbers of the local build by which a job's own joins go too: they reach it by `akin stage NAME --describe`. */
import { LEAST_HOST_PAGES, LEAST_HOST_SHARE } from '../cluster/host-words.ts';
import type { ShapingOptions } from '../indexer/options/build-options.ts';
import { copyParameters } from '../indexer/options/copy-parameters.ts';
import { TOPIC_NEIGHBORS } from '../indexer/relate/clusters.ts';
import { MAX_SHARDS } from '../indexer/shards/split-index.ts';
import { LABEL_TERMS } from '../indexer/write/cluster-labels.ts';
import { REVERSE_LIMIT } from '../join/buckets/join-space.ts';
import { BLOCK_REPETITIONS, CAP, DEPTH } from '../join/buckets/split-buckets.ts';
import { VOTERS } from '../join/pairs/votes.ts';
import { COPY, COPY_NEIGHBOR_LIMIT } from '../relations/copy.ts';
import { TOPIC } from '../relations/topic.ts';
import { DIGEST_BYTES } from '../store/blobs/plain-text.ts';
import { FILE_CAPTURES } from './pages/decide.ts';

export function sharedNumbers(options: ShapingOptions) {
  const copies = copyParameters(options);
  return {
    relations: { topic: TOPIC.id, copy: COPY.id },
    captures: { perFile: FILE_CAPTURES, digestBytes: DIGEST_BYTES },
    buckets: { cap: CAP, depth: DEPTH, blockRepetitions: BLOCK_REPETITIONS, reverse: REVERSE_LIMIT },
    lists: { voters: VOTERS, topicNeighbors: TOPIC_NEIGHBORS, copyNeighbors: COPY_NEIGHBOR_LIMIT },
    labels: { terms: LABEL_TERMS, leastHostPages: LEAST_HOST_PAGES, leastHostShare: LEAST_HOST_SHARE },
    shards: { most: MAX_SHARDS },
    templates: { share: copies.template_share, minimumPages: copies.template_minimum_pages },
  };
}
