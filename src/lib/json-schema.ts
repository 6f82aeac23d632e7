/** JSON Schemas, made and typed as by `Type` of typebox: its types, without its 373 files (docs/decisions/0009). */
import type * as Box from 'typebox';

type Options = Readonly<Record<string, unknown>>;
type Schema = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

/** By the names that typebox has for them: no keyword of the schema, and not seen where it is written or copied. */
const OPTIONAL = '~optional';
const REFINE = '~refine';

/** Needed, or typebox takes none of the refinements. */
const error = () => 'cannot be used';

function marked(schema: Schema, name: string, value: unknown): Schema {
  const own = Object.getOwnPropertyDescriptors(schema);
  return Object.defineProperties({}, { ...own, [name]: { value } });
}

const typed =
  (type: string) =>
  (options: Options = {}) => ({ type, ...options });

const TYPES = {
  String: typed('string'),
  Integer: typed('integer'),
  Number: typed('number'),
  Boolean: typed('boolean'),
  Null: typed('null'),
  Unknown: (options: Options = {}) => ({ ...options }),
  Unsafe: (schema: Schema) => schema,
  Literal: (value: unknown, options: Options = {}) => ({ type: typeof value, const: value, ...options }),
  Enum: (values: readonly unknown[], options: Options = {}) => ({ enum: values, ...options }),
  Ref: ($ref: string) => ({ $ref }),
  Array: (items: Schema, options: Options = {}) => ({ type: 'array', items, ...options }),
  Tuple: (items: readonly Schema[]) => ({
    type: 'array',
    additionalItems: false,
    items,
    minItems: items.length,
  }),
  Union: (anyOf: readonly Schema[], options: Options = {}) => ({ anyOf, ...options }),
  Record: (_keys: Schema, values: Schema, options: Options = {}) => ({
    type: 'object',
    patternProperties: { '^.*$': values },
    ...options,
  }),
  Object: (properties: Readonly<Record<string, Schema>>, options: Options = {}) => {
    const required = Object.keys(properties).filter((name) => !(OPTIONAL in properties[name]!));
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
  },
  Optional: (schema: Schema) => marked(schema, OPTIONAL, true),
  Refine: (schema: Schema, check: Check) =>
    marked(schema, REFINE, [...((schema[REFINE] as readonly unknown[]) ?? []), { check, error }]),
};

/** Records have keys of any text; a refinement is checked by `Compile` of typebox alone. */
export const Type = TYPES as unknown as Pick<typeof Box.Type, keyof typeof TYPES>;
