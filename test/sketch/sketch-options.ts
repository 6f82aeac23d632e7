/** Sketches that no index has, to compare with. */
import { DEFAULT_SKETCH, type SketchOptions } from '../../src/sketch/shingle-sketch.ts';

/** The sketch parameters of Broder et al. as printed. */
export const BRODER1997_SKETCH: SketchOptions = { shingleSize: 10, minimum: 0 };

/** All shingles of a page: comparing two such sketches is exact. */
export const WHOLE_SKETCH: SketchOptions = { ...DEFAULT_SKETCH, minimum: Infinity };
