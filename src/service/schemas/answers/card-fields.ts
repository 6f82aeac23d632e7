import type { Static } from 'typebox';
import { Type } from '../../../lib/json-schema.ts';
import { text } from '../fields.ts';

const scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);
/** Fields of its owner's. */
export const fieldsForm = Type.Record(Type.String(), Type.Union([scalar, Type.Array(scalar)]), {
  description: 'Fields of its owner: texts, numbers, true or false, or lists of these.',
});

/** What a page says of itself for others to show; each only where the page says it. */
export const cardFields = {
  image: Type.Optional(
    Type.String({ format: 'uri', description: 'Absolute http or https URL of a picture.' }),
  ),
  description: Type.Optional(Type.String({ description: 'At most 300 characters.' })),
  published_at: Type.Optional(
    Type.String({ description: 'As the page says: a date, or a time in UTC.', examples: ['2026-01-02'] }),
  ),
  modified_at: Type.Optional(Type.String({ description: 'The same.' })),
  fields: Type.Optional(fieldsForm),
};

/** What is shown of a page in a list, beside its title. */
export const listCardFields = {
  ...cardFields,
  passage: Type.Optional(
    text(
      'Of a page without a description, where the index keeps texts: how its own text begins, outside the template of its host; at most 200 characters.',
    ),
  ),
};

const Fields = Type.Object(cardFields);
export type CardFields = Static<typeof Fields>;
