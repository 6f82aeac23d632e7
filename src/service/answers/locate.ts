import { canonicalUrl } from '../../url/canonical-url.ts';
import type { Generation } from '../generation.ts';
import { Problem, parameterProblem } from '../problem.ts';

const ALLOWED = 'an absolute http or https URL';

/** Errors  Problem `invalid-parameters` that names the parameter. */
export function canonicalParameter(parameter: string, value: string): string {
  const url = canonicalUrl(value);
  if (url === null) throw parameterProblem(parameter, `must be ${ALLOWED}`, value, ALLOWED);
  return url;
}

/** Id of the page that a canonical URL or alias names. Errors  Problem `page-not-indexed`. */
export function locate(generation: Generation, url: string): number {
  const pageId = generation.catalog.find(url);
  if (pageId < 0) {
    const detail = `${url.slice(0, 300)} is not in the index; POST /similar finds what is related to its content`;
    throw new Problem('page-not-indexed', detail);
  }
  return pageId;
}
