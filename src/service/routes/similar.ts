import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { decodeBody } from '../../page/decode.ts';
import type { PostedDocument } from '../answers/document.ts';
import { canonicalParameter, locate } from '../answers/locate.ts';
import { narrowingKey } from '../answers/page-filter.ts';
import { similarToDocument, similarToPage } from '../answers/similar.ts';
import { replyUncached } from '../cached-reply.ts';
import type { GenerationHolder } from '../generation-holder.ts';
import { parameterReader } from '../parameter-reader.ts';
import { Problem, parameterProblem } from '../problem.ts';
import { readCursor, textHash } from '../request-key.ts';
import {
  SimilarBody,
  type SimilarDocument,
  SimilarParameters,
  type SimilarQuery,
} from '../schemas/parameters.ts';
import { answers, postRoute } from '../schemas/route-schema.ts';

const BODY_BYTES = 4 * 1024 * 1024;

/** A bare body, and the charset its Content-Type named. */
interface BareBody {
  readonly kind: 'html' | 'text';
  readonly bytes: Buffer;
}

const BODY = {
  'application/json': SimilarBody,
  'text/html': Type.String({ description: 'The document itself.' }),
  'text/plain': Type.String({ description: 'The document itself.' }),
};

/** POST /similar: in a context of its own, as no other route takes bare HTML or text. */
export function similarRoute(app: FastifyInstance, holder: GenerationHolder): void {
  const readBody = parameterReader(SimilarBody, 'body');
  for (const kind of ['html', 'text'] as const) {
    const mediaType = kind === 'html' ? 'text/html' : 'text/plain';
    app.addContentTypeParser(mediaType, { parseAs: 'buffer' }, (_request, bytes, done) =>
      done(null, { kind, bytes }),
    );
  }

  app.post(
    '/similar',
    postRoute({
      id: 'similar',
      summary: 'Pages related to a document the index has never seen',
      tag: 'documents',
      query: SimilarParameters,
      body: BODY,
      bodyLimit: BODY_BYTES,
      response: answers(
        'Similar',
        'The list, the terms of the document, and where it would fall.',
        [400, 404, 410, 413, 415],
      ),
    }),
    (request: FastifyRequest, reply) => {
      const query = request.query as SimilarQuery;
      const generation = holder.current();
      generation.relation(query.by);
      const document = readDocument(request, query, readBody);
      const hash = textHash(`${JSON.stringify(document)} ${narrowingKey(query)}`);
      const offset = readCursor(query.cursor, generation.id, hash);
      const answer =
        typeof document === 'string'
          ? similarToPage(generation, locateForSimilar(generation, document), query, offset, hash)
          : similarToDocument(generation, document, query, offset, hash);
      return replyUncached(reply, answer);
    },
  );
}

/** The document, or the canonical URL of the page that stands for it. */
function readDocument(
  request: FastifyRequest,
  query: SimilarQuery,
  readBody: (input: unknown) => SimilarDocument,
): PostedDocument | string {
  const queryUrl = query.url === undefined ? null : canonicalParameter('url', query.url);
  const received = request.body as BareBody | null | undefined;
  if (received?.bytes instanceof Buffer) return bareDocument(request, received, queryUrl);

  const body = readBody(received);
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

function bareDocument(
  request: FastifyRequest,
  { kind, bytes }: BareBody,
  url: string | null,
): PostedDocument {
  const charset = /;\s*charset="?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1] ?? null;
  const decoded = decodeBody(bytes, charset);
  if (decoded === null) throw new Problem('invalid-body', 'the body is binary data; send text or HTML');
  return { kind, content: decoded.text, title: undefined, url, baseUrl: null };
}

function locateForSimilar(generation: ReturnType<GenerationHolder['current']>, url: string): number {
  try {
    return locate(generation, url);
  } catch (cause) {
    const detail = `${url.slice(0, 300)} is not in the index, and this service does not fetch pages: send its html or text`;
    throw new Problem('page-not-indexed', detail, { cause });
  }
}
