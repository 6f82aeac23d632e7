/** A route as one row: what is asked, what is answered and how. The table of all is `table.ts`. */

import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { TSchema } from 'typebox';
import type { OrLater } from '../../../lib/or-later.ts';
import type { FeedbackLog } from '../../../store/feedback-log.ts';
import type { PostedBody } from '../../http/body.ts';
import type { ExportDoor } from '../../http/callers/export-door.ts';
import type { Html } from '../../http/markup.ts';
import type { ListQuestion } from '../../http/question/request-key.ts';
import type { ReplayLink } from '../../http/replay-link.ts';
import type { Answered } from '../../http/reply.ts';
import type { Generation } from '../../index/generation.ts';
import type { GenerationHolder } from '../../index/generation-holder.ts';
import type { Upkeep } from '../../index/upkeep.ts';
import type { Folds } from '../../live/folds.ts';
import type { LivePages } from '../../live/live-pages.ts';
import type { ReadyWriter } from '../../live/ready-pages.ts';
import type { IndexFacts } from '../../reads/facts.ts';
import type { LocalIndex } from '../../reads/file/local-index.ts';
import type { Reads } from '../../reads/reads.ts';
import type { Work } from '../../reads/work.ts';
import type { ProblemAnswer } from '../../schemas/answers/problem-answers.ts';
import type { Asked, Parameters } from '../../schemas/parameter.ts';
import type { RouteText } from '../../schemas/route-schema.ts';

/** What routes answer from. */
export interface Service {
  readonly ask: Ask;
  readonly holder: GenerationHolder;
  readonly state: ServiceState;
  readonly registry: Registry;
  readonly exportDoor: ExportDoor;
  /** Whether callers may change the rules of lists. */
  readonly takesRules: boolean;
  /** Null where pages are not taken. */
  live: LiveService | null;
  /** Null where judgements are not taken. */
  feedback: FeedbackLog | null;
  /** Longest time without a byte, after which a connection ends. */
  readonly silenceMs: number;
  /** Null where no archive is known. */
  readonly replay: { readonly template: string; readonly link: ReplayLink } | null;
}

/** Takes pages, and has them folded in. */
export interface LiveService {
  readonly pages: LivePages;
  readonly folds: Folds;
  readonly ready: ReadyWriter;
  /** Whether callers hand pages over; else this process alone does. */
  readonly isOpen: boolean;
}

export interface ServiceState {
  /** Set when the service is about to stop: it still answers, but asks for no new work. */
  draining: boolean;
  /** Null where the index is not kept fresh from here. */
  readonly upkeep: (() => Upkeep) | null;
  /** Shows a problem to a person, in place of the plain page. */
  problemPage?: (problem: ProblemAnswer, request: FastifyRequest, reply: FastifyReply) => string;
  /** Stands around a page of the reference, in place of the plain page. */
  documentationPage?: (title: string, body: Html, reply: FastifyReply) => string;
}

/** A question, as it was read. */
export interface Question<Query> extends ListQuestion<Query> {
  /** Null where none came. */
  readonly body: PostedBody | null;
  /** The one site that the key of the caller is for; none for any. */
  readonly site?: string | null;
}

/** What a route says; by default JSON, never to be kept. */
export type Said = Answered<unknown> & {
  readonly mediaType?: string;
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
};

/** When the client of an answer has gone; asked for by what takes long alone. */
export type Gone = () => AbortSignal;

/**
 * The answer of a route. `work` is what it may do on the event loop, by default as much as one question may.
 *
 * Errors  those of the route, and of `Threads.run`.
 */
export type Ask = (
  generation: Generation,
  route: string,
  question: Question<object>,
  gone: Gone,
  work?: Work,
) => Promise<Answered<unknown>>;

/** How a route answers from one state of the index. */
export interface Answering<Query> {
  /** A value, which is written as JSON, or as `shown`; `local` is the index where this process has its files, else null. */
  readonly answer: (reads: Reads, question: Question<Query>, local: LocalIndex | null) => OrLater<unknown>;
  /** What is known to take long is begun on a thread; any other is where it turns out to. */
  readonly isLong?: (question: Question<Query>) => boolean;
}

/** How a route answers: from one state of the index, GET with validators; or in any other way, which may ask for such answers. */
export type Way<Query> =
  | (Answering<Query> & {
      readonly shown?: (value: never, query: Query) => string;
      /** The answer with links to archived captures. */
      readonly replayed?: (value: never, link: ReplayLink) => unknown;
    })
  /** From one state of the index, by pieces of text as they are made; for those that the operator lets in. */
  | (Partial<Answering<Query>> & {
      readonly stream: (reads: Reads, query: Query) => AsyncIterable<string>;
    })
  | (Partial<Answering<Query>> & {
      readonly act: (
        service: Service,
        question: Question<Query>,
        gone: Gone,
        headers: IncomingHttpHeaders,
        /** What the paths of its links begin with. */
        base: string,
      ) => Promise<Said>;
    });

/** What a row says of GET alone: what is posted is read, and refused, by whoever answers. */
export type OfMethod<Query> =
  | { readonly method: 'POST' | 'PUT' | 'DELETE' }
  | {
      readonly method: 'GET';
      /** What an index must have for it; what `by` names it must have anyway. */
      readonly requires?: (facts: IndexFacts, query: Query) => void;
      /** What else the answer depends on, beside the state of the index. */
      readonly stamp?: (facts: IndexFacts) => string;
      /** Headers of its own; null takes away one that any answer has. */
      readonly headers?: (query: Query) => Readonly<Record<string, string | null>>;
    };

type Route<
  Query extends Parameters,
  Path extends Parameters,
  Answers extends TSchema | string,
> = RouteText & {
  readonly query: Query;
  readonly inPath?: Path;
  readonly answers: Answers;
} & OfMethod<Asked<Query>> &
  Way<Asked<Query> & Asked<Path>>;

/** Lets a row be checked by the types of its own parameters. */
export function route<
  Query extends Parameters,
  Answers extends TSchema | string,
  Path extends Parameters = Record<never, never>,
>(row: Route<Query, Path, Answers>): Route<Query, Path, Answers> {
  return row;
}
