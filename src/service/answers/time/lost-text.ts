/** Which text of a URL is sought elsewhere: of one that is in use again, the one that is not there any more. */
import type { CaptureRecord } from '../../../store/records.ts';
import type { CopySource } from '../copies/copy-source.ts';
import { versionWording, wordingFigures } from '../copies/wording.ts';
import { captureOf } from '../pages/capture-of.ts';

/** A text is lost where less of it is left. */
const LEAST_LEFT = 0.5;

/**
 * The capture of a sweep, by its name; without one the latest whose text is hardly there now, and where there is none the
 * latest of all. Null for a page that was never read.
 *
 * Errors  as `captureOf`.
 */
export async function lostCapture(
  source: CopySource,
  captures: readonly CaptureRecord[],
  sweep: string | undefined,
  isThere: boolean,
): Promise<CaptureRecord | null> {
  if (sweep !== undefined) return captureOf(captures, sweep);
  const latest = captures.at(-1) ?? null;
  if (latest === null || !isThere) return latest;
  const [now, ...texts] = await Promise.all(
    [latest, ...captures].map(({ versionId }) => versionWording(source, versionId)),
  );
  for (const [at, capture] of [...captures.entries()].reverse()) {
    const text = texts[at]!;
    if (capture.versionId === latest.versionId || text.sketch.shingleCount === 0) continue;
    if ((await wordingFigures(text, now!)).aInB.value < LEAST_LEFT) return capture;
  }
  return latest;
}
