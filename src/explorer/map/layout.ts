/**
 * Places pages so that those that are alike lie near each other: stress majorization (SMACOF; de Leeuw 1977), from a
 * start that depends on the order of the pages alone, so that the same answers give the same picture.
 */

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Two pages by their numbers. Pairs that are not given are less alike than any that is. */
export interface Pair {
  readonly one: number;
  readonly other: number;
  readonly similarity: number;
}

const STEPS = 250;
/** Distance of the likest pair, of the least like one, and of pairs nothing is known of. */
const NEAREST = 0.35;
const FARTHEST = 1;
const UNKNOWN = 1.25;
/** Pairs that nothing is known of pull this much less. */
const UNKNOWN_WEIGHT = 0.08;
/** The page in the middle counts more than the others: distance to it is what the picture is about. */
const CENTER_WEIGHT = 3;

const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** Page 0 at (0, 0), all others between -1 and 1 both ways. */
export function layout(pageCount: number, pairs: readonly Pair[]): Point[] {
  const distances = new Float64Array(pageCount ** 2).fill(UNKNOWN);
  const weights = new Float64Array(pageCount ** 2).fill(UNKNOWN_WEIGHT);
  const scale = distanceScale(pairs);
  for (const { one, other, similarity } of pairs) {
    for (const at of [one * pageCount + other, other * pageCount + one]) {
      distances[at] = scale(similarity);
      weights[at] = (one === 0 || other === 0 ? CENTER_WEIGHT : 1) / distances[at]! ** 2;
    }
  }
  let xs = Float64Array.from(
    { length: pageCount },
    (_, i) => Math.sqrt(i / pageCount) * Math.cos(i * GOLDEN_ANGLE),
  );
  let ys = Float64Array.from(
    { length: pageCount },
    (_, i) => Math.sqrt(i / pageCount) * Math.sin(i * GOLDEN_ANGLE),
  );
  for (let step = 0; step < STEPS; step++) [xs, ys] = moved(xs, ys, distances, weights);
  return fitted(xs, ys);
}

/** From the greatest similarity of a pair to `NEAREST`, from the least to `FARTHEST`, by its square root. */
function distanceScale(pairs: readonly Pair[]): (similarity: number) => number {
  const roots = pairs.map(({ similarity }) => Math.sqrt(similarity));
  const [least, greatest] = [Math.min(...roots), Math.max(...roots)];
  const range = Math.max(greatest - least, 1e-9);
  return (similarity) => FARTHEST - ((Math.sqrt(similarity) - least) / range) * (FARTHEST - NEAREST);
}

/** Each page to where its distances from the others, as they are wanted, would have it on average. */
function moved(
  xs: Float64Array,
  ys: Float64Array,
  distances: Float64Array,
  weights: Float64Array,
): [Float64Array<ArrayBuffer>, Float64Array<ArrayBuffer>] {
  const count = xs.length;
  const [newXs, newYs] = [new Float64Array(count), new Float64Array(count)];
  for (let i = 0; i < count; i++) {
    let [x, y, sum] = [0, 0, 0];
    for (let j = 0; j < count; j++) {
      if (j === i) continue;
      const dx = xs[i]! - xs[j]!;
      const dy = ys[i]! - ys[j]!;
      // Half of a picture's time with Math.hypot.
      const length = Math.max(Math.sqrt(dx * dx + dy * dy), 1e-6);
      const at = i * count + j;
      const weight = weights[at]!;
      const wanted = distances[at]! / length;
      x += weight * (xs[j]! + wanted * dx);
      y += weight * (ys[j]! + wanted * dy);
      sum += weight;
    }
    newXs[i] = sum === 0 ? 0 : x / sum;
    newYs[i] = sum === 0 ? 0 : y / sum;
  }
  return [newXs, newYs];
}

/** One way is stretched against the other by no more than this. */
const MOST_STRETCH = 1.3;

/** Moved so that page 0 is in the middle, and scaled so that all lie between -1 and 1. */
function fitted(xs: Float64Array, ys: Float64Array): Point[] {
  const [x, y] = [reachOf(xs), reachOf(ys)];
  const [reachX, reachY] = [Math.max(x, y / MOST_STRETCH), Math.max(y, x / MOST_STRETCH)];
  return Array.from(xs, (one, i) => ({ x: (one - xs[0]!) / reachX, y: (ys[i]! - ys[0]!) / reachY }));
}

/** Greatest distance from page 0. */
function reachOf(places: Float64Array): number {
  return Math.max(...places.map((place) => Math.abs(place - places[0]!)), 1e-9);
}
