import { optionFault } from 'akin-web/rooms/errors';
import { type Part, partNames, usedShares } from 'akin-web/rooms/features/parts';
import { ofLinksAlone, roundWeights, weighPart } from 'akin-web/rooms/features/weigh';
import { TOPIC_PROFILES, topicRecipe } from 'akin-web/rooms/relations/topic';
import { bytesOf } from 'akin-web/rooms/store/blobs/blobs';
import { float64s, uint32s } from '../record/packed.ts';
import { defineStage } from '../record/stage.ts';

/** The stage `bag`: the weights of the features of a page as small whole numbers. See features/weigh.ts. */
export const bagStage = defineStage({
  name: 'bag',
  doc: 'the weights of the features of a page as small whole numbers',
  order: null,
  input: {
    page_id: 'long',
    /** Features ascending (uint32); position of the part among those that have a share (uint8), uses (float64), pages (uint32) and hash (uint32) of each. */
    features: 'binary',
    parts: 'binary',
    uses: 'binary',
    page_counts: 'binary',
    hashes: 'binary',
  },
  output: {
    page_id: 'long',
    /** uint32, ascending. */
    features: 'binary',
    /** uint8. */
    weights: 'binary',
    sum: 'int',
  },
  open({ options, found }) {
    const partPageCounts = found['partPageCounts'] as Readonly<Record<Part, number>> | undefined;
    if (partPageCounts === undefined) {
      throw optionFault(
        'the stage bag does not know how many pages have each part',
        '--found \'{"partPageCounts": {"content": 10, "title": 10, "anchor": 8}}\'',
      );
    }
    const shares = usedShares(options.parts, (part) => partPageCounts[part] === 0);
    const recipe = topicRecipe(TOPIC_PROFILES[options.profile], shares);
    const unread = ofLinksAlone(recipe);
    return {
      take(row, emit) {
        const parts = row.parts;
        const [ids, pageCounts, hashes] = [row.features, row.page_counts, row.hashes].map(uint32s);
        const uses = float64s(row.uses);
        const length = parts.length;
        if ([ids, uses, pageCounts, hashes].some((column) => column!.length !== length)) {
          throw new Error(`the columns of page ${row.page_id} differ in length`);
        }
        const weights = new Uint8Array(length);
        let used = unread;
        for (const [part, name] of partNames(options.parts).entries()) {
          const places = [...parts.keys()].filter((i) => parts[i] === part);
          if ((recipe.parts[name] ?? 0) === 0 || places.length === 0) continue;
          if (name === 'content') used = recipe;
          const of = (column: Uint32Array) => Uint32Array.from(places, (i) => column[i]!);
          const reals = new Float64Array(places.length);
          weighPart(
            name,
            used,
            partPageCounts[name],
            Float64Array.from(places, (i) => uses[i]!),
            of(pageCounts!),
            places.length,
            reals,
          );
          const rounded = new Uint8Array(places.length);
          roundWeights(reals, of(hashes!), rounded);
          for (const [at, i] of places.entries()) weights[i] = rounded[at]!;
        }
        const kept = [...weights.keys()].filter((i) => weights[i]! > 0);
        emit({
          page_id: row.page_id,
          features: bytesOf(Uint32Array.from(kept, (i) => ids![i]!)),
          weights: Uint8Array.from(kept, (i) => weights[i]!),
          sum: weights.reduce((sum, weight) => sum + weight, 0),
        });
      },
    };
  },
});
