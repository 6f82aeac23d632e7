import { clusteringsOf } from 'akin-web/rooms/indexer/options/copy-parameters';
import { storedFigure } from 'akin-web/rooms/join/copies/copy-relation';
import type { ShingleSketch } from 'akin-web/rooms/sketch/shingle-sketch';
import { defineStage } from '../record/stage.ts';

/** The stage `copy-figure`: resemblance or containment of the texts of a cluster and that of its center. */
export const copyFigureStage = defineStage({
  name: 'copy-figure',
  doc: 'resemblance or containment of the texts of a cluster and that of its center',
  order: 'by root, level and part, the center first in each',
  input: {
    /** Place of the clustering among those of the build. */
    level: 'int',
    root: 'long',
    /** Of a large cluster: each has a row of the center, which comes out of part 0 alone. */
    part: 'int',
    page_id: 'long',
    is_center: 'boolean',
    /** The sketch: float64, ascending. */
    keys: 'binary',
    limit: 'double',
    shingle_count: 'long',
  },
  output: { level: 'int', clustering: 'text', root: 'long', page_id: 'long', similarity: 'double' },
  open({ options }) {
    const clusterings = clusteringsOf(options);
    let center: { readonly cluster: string; readonly sketch: ShingleSketch } | null = null;
    return {
      take({ level, root, part, page_id, is_center, keys, limit, shingle_count }, emit) {
        const clustering = clusterings[level];
        if (clustering === undefined) throw new Error(`there is no clustering ${level}`);
        const cluster = `${level} ${root}`;
        const sketch = {
          keys: new Float64Array(Uint8Array.from(keys).buffer),
          limit,
          shingleCount: shingle_count,
        };
        if (is_center) center = { cluster, sketch };
        if (center?.cluster !== cluster)
          throw new Error(`the center of ${root} does not stand before its members`);
        if (is_center && part > 0) return;
        const { shared, total } = storedFigure(sketch, center.sketch, clustering.measure);
        const similarity = is_center ? 1 : total === 0 ? 0 : shared / total;
        emit({ level, clustering: clustering.name, root, page_id, similarity });
      },
    };
  },
});
