/** Serves the rows of a table of routes: reads what is asked, has it answered, sends that. */
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { keptIn } from '../../lib/kept.ts';
import { linkBase } from '../http/base-path.ts';
import type { PostedBody } from '../http/body.ts';
import { forcedBody, forcedTo } from '../http/forced-site.ts';
import { goneFrom } from '../http/gone.ts';
import { requireSequence, takeSequence } from '../http/hooks/sequence.ts';
import { QUERY_TYPE, queryOf } from '../http/query-method.ts';
import { textHash } from '../http/question/request-key.ts';
import { type Answered, JSON_TYPE, replyCached, replyUncached } from '../http/reply.ts';
import { routeSchema } from '../schemas/route-schema.ts';
import { QuestionNames, type Row, rowReader } from './route/answer-row.ts';
import type { Service } from './route/route.ts';
import { sendStream } from './route/send-stream.ts';

export function serveRoutes(
  app: FastifyInstance,
  service: Service,
  table: Readonly<Record<string, Row>>,
): void {
  for (const [id, row] of Object.entries(table)) {
    const handler = handlerOf(id, row, service);
    const { path: url, method, bodyLimit, body = {}, cost, scope, ofOneSite } = row;
    const config = {
      html: row.answers === 'text/html',
      ...(cost && { cost }),
      ...(scope && { scope }),
      ...(ofOneSite && { ofOneSite }),
    };
    const schema = keptIn(schemas, row, () => routeSchema(id, row));
    app.route({
      method,
      url,
      schema,
      handler,
      config: { ...config, ...(method !== 'GET' && { accepts: Object.keys(body) }) },
      ...(bodyLimit && { bodyLimit }),
    });
    // OpenAPI 3.1 has no place for the method.
    if (method === 'GET' && cost !== 'operation')
      app.route({
        method: 'QUERY',
        url,
        schema: { hide: true },
        handler,
        config: { ...config, accepts: [QUERY_TYPE] },
      });
  }
}

/** Made once for all apps of a process. */
const schemas = new WeakMap<Row, FastifySchema>();

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;

function handlerOf(id: string, row: Row, service: Service): Handler {
  const { holder, ask } = service;
  const read = rowReader(row);
  const queryIn = (request: FastifyRequest): never => {
    const given = givenIn(request);
    const least = takeSequence(given);
    const isForced = row.ofOneSite === 'list' || row.ofOneSite === 'page';
    const forced = isForced ? forcedTo(request.akinKey, given, row.ofOneSite === 'list') : given;
    const query = read(forced, request.params);
    requireSequence(least, holder.sequence);
    return query as never;
  };
  const givenIn = (request: FastifyRequest): object =>
    request.method === 'QUERY' ? queryOf(request) : (request.query as object);
  const bodyOf = (request: FastifyRequest) =>
    forcedBody(
      row.ofOneSite === 'lists' ? request.akinKey : null,
      (request.body as PostedBody | undefined) ?? null,
    );

  if (row.method !== 'GET' || 'act' in row) {
    return async (request, reply) => {
      const site = request.akinKey?.site ?? null;
      const question = { query: queryIn(request), offset: 0, hash: '', body: bodyOf(request), site };
      const gone = goneFrom(reply);
      if (!('act' in row)) return replyUncached(reply, await ask(holder.current(), id, question, gone));
      const said = await row.act(service, question, gone, request.headers, linkBase(request));
      reply.code(said.status ?? 200).headers(said.headers ?? {});
      return replyUncached(reply, said, said.mediaType);
    };
  }
  if ('stream' in row) {
    return (request, reply) => {
      const query = queryIn(request);
      const generation = holder.current();
      row.requires?.(generation.facts, query);
      const leave = service.exportDoor.enter(request);
      return sendStream(reply, generation, (reads) => row.stream(reads, query), leave);
    };
  }
  const names = new QuestionNames(id, row);
  const replay = row.replayed === undefined ? null : service.replay;
  const mediaType = typeof row.answers === 'string' ? `${row.answers}; charset=utf-8` : JSON_TYPE;
  return (request, reply) => {
    const query = queryIn(request);
    const generation = holder.current();
    const { question, detail } = names.asked(generation, query, null);
    if (row.headers !== undefined) setHeaders(reply, row.headers(query));
    const make = () => ask(generation, id, question, goneFrom(reply));
    const shown = ({ value, lost }: Answered<unknown>): Answered<unknown> => {
      if (replay !== null) return { value: row.replayed!(value as never, replay.link), lost };
      return { value: row.shown!(value as never, query), lost };
    };
    const isShown = replay !== null || row.shown !== undefined;
    const view = replay === null ? detail : `${detail}-${textHash(replay.template)}`;
    const { hash } = question;
    const made = isShown ? () => make().then(shown) : make;
    return replyCached(request, reply, generation, hash, view, made, mediaType);
  };
}

function setHeaders(reply: FastifyReply, headers: Readonly<Record<string, string | null>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (value === null) reply.removeHeader(name);
    else reply.header(name, value);
  }
}
