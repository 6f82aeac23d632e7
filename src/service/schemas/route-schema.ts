import type { FastifySchema } from 'fastify';
import type { TSchema } from 'typebox';
import { Type } from '../../lib/json-schema.ts';
import type { Scope } from '../keys/key-ring.ts';
import { MIN_SEQUENCE } from './fields.ts';
import { type Parameters, propertiesOf } from './parameter.ts';

const STATUS_TEXT: Readonly<Record<number, string>> = {
  400: 'A parameter or the body cannot be used.',
  401: 'A key is needed, and none came, or none that is known.',
  403: 'The key, or the operator, does not allow it.',
  404: 'Not in the index.',
  408: 'The request came too slowly.',
  410: 'The cursor is of an older generation of the index.',
  412: 'The page is not what If-Match or If-None-Match asks for.',
  413: 'The body is too large.',
  415: 'The media type is not taken here.',
  417: 'An expectation other than 100-continue.',
  429: 'Too many requests; Retry-After says when to come again.',
  431: 'The request line and headers are larger than 16 KiB.',
  500: 'A fault of the service; its log has the reason.',
  503: 'Not ready, overloaded, or without a shard that it takes; Retry-After, where it is sent, says when to come again.',
  507: 'A file beside the index, or its disk, is full.',
};

/** What any request may meet, whatever its route. */
const ALWAYS = [400, 408, 417, 429, 431, 500, 503];
/** Where keys are asked for. */
const OF_KEYS = [401, 403];

const HEADERS = {
  ETag: { type: 'string', description: 'Weak; made of the generation and the normalized request.' },
  'Last-Modified': { type: 'string', description: 'When the index was built.' },
};

const HTML = 'text/html';
const NDJSON = 'application/x-ndjson';

/** What is said of a route, and asked of whoever calls it. */
export interface RouteText {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  readonly tag: 'look-ups' | 'pages' | 'rules' | 'clusters' | 'documents' | 'time' | 'export' | 'operation';
  readonly query: Parameters;
  /** Parameters of the path. */
  readonly inPath?: Parameters;
  /** By media type; any other gets 415. */
  readonly body?: Readonly<Record<string, TSchema>>;
  readonly bodyLimit?: number;
  /** The schema of the answer, or its media type where that is no JSON. */
  readonly answers: TSchema | string;
  /** The schema of each line, where the answer is lines of JSON. */
  readonly line?: TSchema;
  readonly says: string;
  /** Other statuses than 200, and what they say. */
  readonly saysAlso?: Readonly<Record<number, string>>;
  /** Statuses of problems of its own. */
  readonly problems: readonly number[];
  /** What it costs others: 'operation' is not counted, and answered under any pressure. Default by the method. */
  readonly cost?: 'operation' | 'feedback';
  /** Who may ask where keys are asked for: who has a key of this scope. Default write, and operate for 'operation'. */
  readonly scope?: Scope | 'anyone';
  /** A key of one site may ask, as answers can be kept to its pages: for a list, for lists by a body, for what is one page. */
  readonly ofOneSite?: 'list' | 'lists' | 'page';
  /** Not in the documentation: for other processes of akin. */
  readonly isHidden?: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Media types of the body; for the answer that refuses another. */
    accepts?: readonly string[];
    cost?: RouteText['cost'];
    scope?: RouteText['scope'];
    ofOneSite?: RouteText['ofOneSite'];
    /** Answers HTML, and problems as HTML to a client that accepts it. */
    html?: boolean;
  }
}

/** A route as the framework and its documentation take it. */
export function routeSchema(id: string, row: RouteText): FastifySchema {
  if (row.isHidden === true) return { hide: true };
  const body = Object.entries(row.body ?? {}).map(([mediaType, schema]) => [mediaType, { schema }]);
  return {
    operationId: id,
    summary: row.summary,
    tags: [row.tag],
    security: securityOf(row),
    querystring: Type.Object({ ...propertiesOf(row.query), ...(row.cost !== 'operation' && MIN_SEQUENCE) }),
    ...(row.inPath && { params: Type.Object(propertiesOf(row.inPath)) }),
    ...(body.length > 0 && { body: { content: Object.fromEntries(body) } }),
    response: responsesOf(row),
  };
}

/** As OpenAPI says that a key may be asked for: none, or one. */
function securityOf({ scope }: RouteText): Record<string, string[]>[] {
  return scope === 'anyone' ? [] : [{}, { key: [] }];
}

const refTo = (schema: TSchema) => Type.Ref(`${(schema as { $id?: string }).$id}#`);

/** A text of lines: OpenAPI 3.1 has no word for them but those of JSON Schema for what a text holds, here a list. */
function linesOf(contentMediaType: string, line: TSchema): TSchema {
  return Type.String({ contentMediaType, contentSchema: Type.Array(refTo(line)) });
}

function responsesOf(row: RouteText): Record<string, unknown> {
  const { answers, line, says, saysAlso = {}, problems, method, cost, scope } = row;
  // What a route acts on is no state of the index, and its answer has no name.
  const isCached = method === 'GET' && cost !== 'operation' && answers !== NDJSON && !('act' in row);
  const content =
    typeof answers === 'string'
      ? { [answers]: { schema: line === undefined ? Type.String() : linesOf(answers, line) } }
      : { 'application/json': { schema: refTo(answers) } };
  const refusals = [...new Set([...problems, ...ALWAYS, ...(scope === 'anyone' ? [] : OF_KEYS)])].map(
    (status) => [
      status,
      {
        description: STATUS_TEXT[status],
        content: {
          'application/problem+json': {
            schema: Type.Ref('Problem#'),
            examples: { problem: { $ref: `#/components/examples/problem-${status}` } },
          },
          ...(answers === HTML && {
            [HTML]: { schema: Type.String({ description: 'For a client that accepts it.' }) },
          }),
        },
      },
    ],
  );
  return {
    200: { description: says, content, ...(isCached && { headers: HEADERS }) },
    ...Object.fromEntries(
      Object.entries(saysAlso).map(([status, also]) => [status, { description: also, content }]),
    ),
    ...(isCached && { 304: { description: 'Not modified.', type: 'null' } }),
    ...Object.fromEntries(refusals),
  };
}
