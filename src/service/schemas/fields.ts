import type { Static, TProperties, TSchema, TSchemaOptions, TUnsafe } from 'typebox';
import { Type } from '../../lib/json-schema.ts';
import { RELATION_NAMES } from '../../relations/relations.ts';

/** An object with just these properties. */
export const closed = <T extends TProperties>(properties: T) =>
  Type.Object(properties, { additionalProperties: false });

/** The same with words. */
export const closedAs = <T extends TProperties>(description: string, properties: T) =>
  Type.Object(properties, { additionalProperties: false, description });

/** An object with just these properties, shared under a name. */
export const exact = <T extends TProperties>(id: string, properties: T, more: object = {}) =>
  Type.Object(properties, { $id: id, additionalProperties: false, ...more });

/** What an answer says of itself where a part of the index could not be asked. */
export const LACKING = {
  partial: Type.Optional(
    Type.Literal(true, {
      description:
        'Only there where shards of the index could not be asked: what they have is missing. Not cached.',
    }),
  ),
  lost_shards: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0 }), { description: 'Their numbers; there with `partial`.' }),
  ),
};

/** A whole answer from the index: of a service of several shards it may lack some of them. */
export const answer = <T extends TProperties>(id: string, properties: T, more: object = {}) =>
  exact(id, { ...properties, ...LACKING }, more);

/** A reference to a schema that `exact` made, of its type. */
export const ref = <S extends TSchema>(schema: S): TUnsafe<Static<S>> =>
  Type.Unsafe<Static<S>>(Type.Ref((schema as { $id?: string }).$id!));

export const orNull = <T extends TSchema>(schema: T, more: TSchemaOptions = {}) =>
  Type.Union([schema, Type.Null()], more);

/** A list, a text, and what is so or not, with words of what it is. */
export const listOf = <T extends TSchema>(items: T, description: string) =>
  Type.Array(items, { description });
export const text = (description: string) => Type.String({ description });
export const flag = (description: string) => Type.Boolean({ description });
/** A figure from 0 to 1. */
export const share = (description?: string) =>
  Type.Number({ minimum: 0, maximum: 1, ...(description && { description }) });
/** A number of things. */
export const count = (description?: string) =>
  Type.Integer({ minimum: 0, ...(description && { description }) });

export const generation = Type.String({ description: 'The state of the index that answered.' });
export const next = orNull(Type.String(), { description: 'The cursor of what follows, or null.' });
export const by = Type.Enum([...RELATION_NAMES]);

/** `score`: no similarity; good for the order of one list. */
export type Measure = 'exact' | 'estimate' | 'score';
export const nullableText = orNull(Type.String());
export const fetchedAt = orNull(Type.String(), {
  description: 'When it was fetched; null where the source gave no time.',
});
/** Of a capture. */
export const replayUrl = Type.Optional(
  orNull(Type.String(), {
    description: 'The archived capture, where the service knows an archive (akin serve --replay-url).',
  }),
);

export const measure = Type.Enum(['exact', 'estimate'], {
  description: 'Exact where all shingles of both texts are at hand; else estimated from samples of them.',
});

/** What may fill a list up. */
export const FALLBACKS = ['site', 'recent'] as const;
/** In examples of requests; GET /docs shows what the index that is served has in their place. */
export const EXAMPLE_PAGES = ['https://example.org/guide/', 'https://example.org/news/'] as const;
export const EXAMPLE_WORDS = 'prune roses';
export const EXAMPLE_BEGUN = 'prune ro';
export const EXAMPLE_CLUSTER = 'c0ffee0123456789';

/** What a sweep brought of a page. */
export const NEWS = ['new', 'minor', 'major', 'rewritten', 'lost'] as const;

/** Of every question, beside its own parameters. */
export const MIN_SEQUENCE = {
  min_sequence: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1e15 - 1,
      description:
        'Answered only by a server that knows all pages up to this number, as `akin-sequence` of a write gave it; 503 by any other.',
    }),
  ),
};
