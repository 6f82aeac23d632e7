import type { PostedDocument } from '../answers/document.ts';
import { canonicalParameter, locate } from '../answers/locate.ts';
import type { Generation } from '../held/generation.ts';
import { Problem, pageProblem, parameterProblem } from '../http/problem.ts';
import type { SimilarDocument } from '../schemas/parameters.ts';

/**
 * The document of a JSON body, or the canonical URL of the page that stands for it. `queryUrl` is what the
 * query said of its URL.
 *
 * Errors  Problem `invalid-parameters`, `invalid-body`.
 */
export function documentOfBody(
  body: SimilarDocument,
  queryUrl: string | null = null,
): PostedDocument | string {
  const url = body.url === undefined ? queryUrl : canonicalParameter('url', body.url);
  const baseUrl = body.base_url === undefined ? null : canonicalParameter('base_url', body.base_url);
  const given = (['html', 'text'] as const).filter((kind) => body[kind] !== undefined);
  if (given.length === 2)
    throw parameterProblem('text', 'give html or text, not both', '', 'one of html, text');
  const kind = given[0];
  if (kind !== undefined) return { kind, content: body[kind]!, title: body.title, url, baseUrl };
  if (url !== null) return url;
  throw new Problem('invalid-body', 'the body must hold html, text or url');
}

/** Id of the page that stands for a document. Errors  Problem `page-not-indexed` that asks for the text. */
export function locateDocument(generation: Generation, url: string): number {
  try {
    return locate(generation, url);
  } catch (cause) {
    throw pageProblem(
      url,
      'is not in the index',
      'this service does not fetch pages: send its html or text',
      cause,
    );
  }
}
