import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { decodeBody } from '../../page/decode.ts';
import type { PostedDocument } from '../answers/document.ts';
import { canonicalParameter } from '../answers/locate.ts';
import { narrowingKey } from '../answers/page-filter.ts';
import { similarToDocument, similarToPage } from '../answers/similar.ts';
import type { GenerationHolder } from '../held/generation-holder.ts';
import { parameterReader } from '../http/parameter-reader.ts';
import { Problem } from '../http/problem.ts';
import { replyUncached } from '../http/reply.ts';
import { readCursor, textHash } from '../http/request-key.ts';
import {
  SimilarBody,
  type SimilarDocument,
  SimilarParameters,
  type SimilarQuery,
} from '../schemas/parameters.ts';
import { answers, postRoute } from '../schemas/route-schema.ts';
import { documentOfBody, locateDocument } from './posted-document.ts';

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
      const hash = textHash(`${JSON.stringify(document)} ${query.exact} ${narrowingKey(query)}`);
      const offset = readCursor(query.cursor, generation.id, hash);
      const answer =
        typeof document === 'string'
          ? similarToPage(generation, locateDocument(generation, document), query, offset, hash)
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

  return documentOfBody(readBody(received), queryUrl);
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
