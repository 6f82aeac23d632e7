import type { RouteShorthandOptions } from 'fastify';
import { type TObject, type TSchema, Type } from 'typebox';

const STATUS_TEXT: Readonly<Record<number, string>> = {
  400: 'A parameter or the body cannot be used.',
  404: 'Not in the index.',
  408: 'The request came too slowly.',
  410: 'The cursor is of an older generation of the index.',
  413: 'The body is too large.',
  415: 'The media type is not taken here.',
  417: 'An expectation other than 100-continue.',
  429: 'Too many requests; Retry-After says when to come again.',
  431: 'The request line and headers are larger than 16 KiB.',
  500: 'A fault of the service; its log has the reason.',
  503: 'Not ready, or overloaded: Retry-After says when to come again.',
  507: 'The file of feedback, or its disk, is full.',
};

/** What any request may meet, whatever its route. */
const ALWAYS = [400, 408, 417, 429, 431, 500, 503];

const HEADERS = {
  ETag: { type: 'string', description: 'Weak; made of the generation and the normalized request.' },
  'Last-Modified': { type: 'string', description: 'When the index was built.' },
};

const HTML = 'text/html';

type Responses = Record<string, unknown>;

/** What a route answers: a shared schema by name (or a text media type), and the problems of its own. */
export function answers(name: string, description: string, problems: readonly number[]): Responses {
  const responses: Responses = { 200: { description, content: contentOf(name) } };
  for (const status of new Set([...problems, ...ALWAYS])) {
    responses[status] = {
      description: STATUS_TEXT[status],
      content: {
        'application/problem+json': {
          schema: Type.Ref('Problem#'),
          examples: { problem: { $ref: `#/components/examples/problem-${status}` } },
        },
        ...(name === HTML && {
          [HTML]: { schema: Type.String({ description: 'For a client that accepts it.' }) },
        }),
      },
    };
  }
  return responses;
}

function contentOf(name: string): object {
  if (name.includes('/')) return { [name]: { schema: Type.String() } };
  return { 'application/json': { schema: Type.Ref(`${name}#`) } };
}

interface RouteText {
  readonly id: string;
  readonly summary: string;
  readonly tag: 'look-ups' | 'clusters' | 'documents' | 'time' | 'operation';
  readonly query: TObject;
  readonly response: Responses;
  readonly pathParameters?: Readonly<Record<string, { description: string; examples: string[] }>>;
}

interface PostRouteText extends RouteText {
  /** Media type to schema; any other gets 415. */
  readonly body: Readonly<Record<string, TSchema>>;
  readonly bodyLimit: number;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Media types of the body; for the answer that refuses another. */
    accepts?: readonly string[];
    /** Counted by a rate limit of its own. */
    isFeedback?: boolean;
    /** Not counted against the rate limit, and answered under any pressure. */
    operational?: boolean;
    /** Answers HTML, and problems as HTML to a client that accepts it. */
    html?: boolean;
  }
}

export function getRoute(text: RouteText): RouteShorthandOptions {
  const schema: Record<string, unknown> = {
    operationId: text.id,
    summary: text.summary,
    tags: [text.tag],
    querystring: text.query,
    response: withValidators(text.response),
  };
  if (text.pathParameters !== undefined) {
    const properties = Object.entries(text.pathParameters).map(([name, more]) => [name, Type.String(more)]);
    schema['params'] = Type.Object(Object.fromEntries(properties));
  }
  return { schema, config: { html: HTML in (text.response[200] as { content: object }).content } };
}

export function postRoute(text: PostRouteText): RouteShorthandOptions {
  const content = Object.entries(text.body).map(([mediaType, schema]) => [mediaType, { schema }]);
  const schema = {
    operationId: text.id,
    summary: text.summary,
    tags: [text.tag],
    querystring: text.query,
    body: { content: Object.fromEntries(content) },
    response: text.response,
  };
  return { schema, bodyLimit: text.bodyLimit, config: { accepts: Object.keys(text.body) } };
}

/** For probes: answered under any pressure, and never cached. */
export function operationRoute(text: RouteText): RouteShorthandOptions {
  return { schema: { ...getRoute(text).schema, response: text.response }, config: { operational: true } };
}

function withValidators(responses: Responses): Responses {
  const answered = responses[200] as object;
  return {
    ...responses,
    200: { ...answered, headers: HEADERS },
    304: { description: 'Not modified.', type: 'null' },
  };
}
