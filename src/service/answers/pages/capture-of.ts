import type { CaptureRecord } from '../../../store/records.ts';
import { parameterProblem } from '../../http/problems/problem.ts';

/**
 * The capture of a sweep, by its name.
 *
 * Errors  Problem `invalid-parameters` for a sweep that did not read the page.
 */
export function captureOf(captures: readonly CaptureRecord[], sweep: string): CaptureRecord {
  const asked = captures.find((capture) => capture.sweep === sweep);
  if (asked !== undefined) return asked;
  const names = captures.map((capture) => capture.sweep).join(', ');
  const allowed = names === '' ? 'none: the page was never read' : `one of: ${names}`;
  throw parameterProblem('capture', 'must be a sweep that read the page', sweep, allowed);
}
