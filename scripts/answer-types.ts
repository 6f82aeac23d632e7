/** TypeScript of the library and the client, from the schemas that document the HTTP service. */
import { Type } from 'typebox';
import { BUILD_ROWS } from '../src/indexer/options/build-options.ts';
import { defaultOf, describeDefault, type Knob } from '../src/indexer/options/knob.ts';
import { EXPORTS } from '../src/service/exports/table.ts';
import { ROUTES } from '../src/service/routes/table.ts';
import { ANSWER_SCHEMAS } from '../src/service/schemas/answers/answers.ts';
import { cardFields, listCardFields } from '../src/service/schemas/answers/card-fields.ts';
import { rankedFields } from '../src/service/schemas/answers/copy-answers.ts';
import { knownState, seenFields, subjectFields } from '../src/service/schemas/answers/time-answers.ts';
import { generation, LACKING, next } from '../src/service/schemas/fields.ts';
import { type Parameters, propertiesOf } from '../src/service/schemas/parameter.ts';
import {
  BatchBody,
  CompareBody,
  DocumentBody,
  ExampleDocument,
  GroupBody,
  ListRule,
  SimilarBody,
} from '../src/service/schemas/parameters/bodies.ts';
import {
  cursor,
  limitOf,
  NEAR_FORM,
  NEAR_LANG_FORM,
} from '../src/service/schemas/parameters/common-parameters.ts';

/** As far as our schemas go. */
interface Schema {
  readonly $id?: string;
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
}

const PLAIN: Readonly<Record<string, string>> = { integer: 'number', object: 'Record<string, unknown>' };

function typeOf(schema: Schema): string {
  const { $ref, anyOf, items, properties, additionalProperties, patternProperties } = schema;
  if ($ref !== undefined) return nameOf($ref.replace(/#$/, ''));
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (properties !== undefined) return commonOf(schema) ?? bodyOf(schema);
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' | ');
  if (items !== undefined) return `${inBrackets(typeOf(items))}[]`;
  const values = Object.values(patternProperties ?? {})[0] ?? additionalProperties;
  if (typeof values === 'object') return `Record<string, ${typeOf(values)}>`;
  return schema.type === undefined ? 'unknown' : (PLAIN[schema.type] ?? schema.type);
}

function inBrackets(type: string): string {
  return type.includes(' | ') ? `(${type})` : type;
}

/** `{ ... }`, each property with what the schema says of it. */
function bodyOf(schema: Schema): string {
  return `{\n${indented(linesOf(schema).join('\n'))}\n}`;
}

function linesOf({ properties = {}, required = [] }: Schema): string[] {
  return Object.entries(properties).map(([name, schema]) => {
    const isOptional = !required.includes(name);
    const type = `${typeOf(schema)}${isOptional ? ' | undefined' : ''}`;
    const doc =
      schema.description === undefined ? '' : `/** ${schema.description.replaceAll('*/', '* /')} */\n`;
    return `${doc}readonly ${name}${isOptional ? '?' : ''}: ${type};`;
  });
}

const indented = (text: string) => text.replace(/^/gm, '  ');

/** Whole answers; the other schemas are parts of them. */
const ANSWERS = new Set(
  Object.values(ROUTES).map(({ answers }) => (typeof answers === 'string' ? '' : (answers as Schema).$id)),
);
const LEFT_OUT = ['Alive', 'Ready', 'Feedback'];
/** Parts that the library names by themselves. */
const ALONE: readonly unknown[] = [
  ...['Problem', 'ResultContainment', 'ResultGroup', 'SharedTerm', 'Term'],
  ...Object.values(EXPORTS).map(({ row }) => (row as Schema).$id),
];

function nameOf(id: string): string {
  return ANSWERS.has(id) ? `${id}Answer` : id;
}

interface Shape {
  readonly name: string;
  readonly schema: Schema;
  readonly isExported: boolean;
}

/** Members that many answers, or many questions, have in common: each is said once. */
const COMMON = {
  FromShards: LACKING,
  Answer: { generation, ...LACKING },
  ListAnswer: { generation, next, ...LACKING },
  Card: cardFields,
  ListCard: listCardFields,
  PageTitle: { url: Type.String(), title: Type.String() },
  Seen: seenFields,
  KnownState: knownState,
  Subject: subjectFields,
  Ranked: rankedFields,
  Paging: propertiesOf({ limit: limitOf('pages'), cursor }),
  BestCopy: { near: Type.Optional(NEAR_FORM), near_lang: Type.Optional(NEAR_LANG_FORM) },
};

/** The name of what many have in common, if the schema is just that. */
function commonOf(schema: Schema): string | undefined {
  const body = bodyOf(schema);
  return Object.entries(COMMON).find(
    ([, members]) => bodyOf(Type.Object(members) as unknown as Schema) === body,
  )?.[0];
}

/** Fewer properties are said again. */
const LEAST_SHARED = 3;
const LEAST_SHARED_BUT_ONE = 8;

/** One that has all properties of another, or of a long one all but one, extends it; or else what is common to many. */
function interfacesOf(shapes: readonly Shape[]): string[] {
  const common = Object.entries(COMMON).map(([name, members]) => ({
    name,
    schema: Type.Object(members) as unknown as Schema,
    isExported: false,
  }));
  const all = [...common, ...shapes].map((shape) => ({ ...shape, lines: new Set(linesOf(shape.schema)) }));
  return all.map(({ name, isExported, lines }, i) => {
    const bases = all.flatMap((other, j) => {
      const others = [...other.lines.difference(lines)];
      const isCommon = j < common.length;
      const isLess = other.lines.size < lines.size || (isCommon && i >= common.length);
      const isBase = others.length === 0 && isLess && (isCommon || other.lines.size >= LEAST_SHARED);
      const isBaseButOne = others.length === 1 && other.lines.size > LEAST_SHARED_BUT_ONE && j < i;
      const omitted = /readonly (\w+)/.exec(others[0] ?? '')?.[1];
      const text = omitted ? `Omit<${other.name}, '${omitted}'>` : other.name;
      return isBase || isBaseButOne ? [{ text, lines: other.lines }] : [];
    });
    let own = [...lines];
    const chosen = bases
      .sort((a, b) => b.lines.size - a.lines.size)
      .filter((base) => {
        const left = own.filter((line) => !base.lines.has(line));
        const isNew = own.length - left.length > 1;
        if (isNew) own = left;
        return isNew;
      });
    const extended = chosen.length === 0 ? '' : ` extends ${chosen.map(({ text }) => text).join(', ')}`;
    const body = own.length === 0 ? '{}' : `{\n${indented(own.join('\n'))}\n}`;
    return `${isExported ? 'export ' : ''}interface ${name}${extended} ${body}\n`;
  });
}

/** The parameters of a route without those that a method takes by itself; none need be given. */
function optionsOf(rows: Parameters, ...own: string[]): Schema {
  const properties = propertiesOf(rows) as Record<string, Schema>;
  return {
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !own.includes(name))),
  };
}

/** src/library/generated.ts. */
export function generatedTypes(): string {
  const { results } = (GroupBody as unknown as Schema).properties!;
  return [
    '/** Questions, answers and settings, from the schemas of the service and the rows of options: `npm run openapi` writes this file. */\n',
    ...interfacesOf([...answers(), ...questions()]),
    `export type GroupedResult = ${typeOf(results!.items!)};\n`,
    settingTypes(),
  ].join('\n');
}

function answers(): Shape[] {
  return (ANSWER_SCHEMAS as unknown as readonly Schema[])
    .filter(({ $id }) => !LEFT_OUT.includes($id!))
    .map((schema) => {
      const isExported = ANSWERS.has(schema.$id) || ALONE.includes(schema.$id);
      return { name: nameOf(schema.$id!), schema, isExported };
    });
}

/** What is asked by, and what is posted. */
function questions(): Shape[] {
  const of = (name: keyof typeof ROUTES) => ROUTES[name].query;
  const compared = (CompareBody as unknown as Schema).properties!['a']!;
  const { like, unlike } = (SimilarBody as unknown as Schema).properties!;
  const ofExamples = (list: Schema): Schema => ({ ...list, items: { $ref: 'GivenExample' } });
  const { urls: _urls, ...batch } = (BatchBody as unknown as Schema).properties!;
  const { results: _results, by: _by, ...group } = (GroupBody as unknown as Schema).properties!;
  const { url: _url, missing: _missing, cursor: _cursor, ...filters } = optionsOf(of('related')).properties!;
  const options: Readonly<Record<string, Schema>> = {
    ListOptions: { properties: filters },
    RelatedOptions: optionsOf(of('related'), 'url'),
    BatchOptions: { properties: batch },
    SimilarOptions: optionsOf(of('similar'), 'url'),
    SearchOptions: optionsOf(of('search'), 'q'),
    SuggestOptions: optionsOf(of('suggest'), 'q'),
    ClusterOptions: optionsOf(of('cluster'), 'url'),
    ClustersOptions: optionsOf(of('clusters')),
    MembersOptions: optionsOf(of('clusterById')),
    MovedOptions: optionsOf(of('moved'), 'url'),
    LostOptions: optionsOf(of('lost')),
    ChangesOptions: optionsOf(of('changes')),
    SitesOptions: optionsOf(of('sites')),
    SitePagesOptions: optionsOf(of('sitePages'), 'site'),
    HistoryOptions: optionsOf(of('history'), 'url'),
    CoverOptions: optionsOf(of('cover'), 'url'),
    CompareOptions: optionsOf(of('compare')),
    GroupOptions: { properties: group },
    GivenDocument: DocumentBody as unknown as Schema,
    GivenExample: ExampleDocument as unknown as Schema,
    GivenExamples: {
      properties: { like: ofExamples(like!), unlike: ofExamples(unlike!) },
      required: ['like'],
    },
    ComparedDocument: compared,
    ListRule: ListRule as unknown as Schema,
  };
  return Object.entries(options).map(([name, schema]) => ({ name, schema, isExported: true }));
}

/** Settings whose values are no texts, numbers or switches. */
const SETTING_TYPES: Readonly<Partial<Record<string, string>>> = {
  parts: 'Readonly<Record<string, number>> | string',
  stopWords: 'string | null',
  classes: 'readonly (readonly [url: string, path: string])[] | null',
  pairSimilarity: 'number | null',
  copyClusterings: 'string | readonly string[]',
  fields: "Readonly<Record<string, 'any' | 'number' | 'date'>> | string",
};

/** The settings of a build. */
function settingTypes(): string {
  const { sweepName: _sweep, format: _format, ...rows } = BUILD_ROWS;
  const lines = Object.entries<Knob<unknown>>(rows).flatMap(([name, knob]) => {
    const { choices } = knob as { readonly choices?: readonly unknown[] };
    const value = defaultOf(knob, { profile: 'akin', copyProfile: 'akin' });
    const type =
      SETTING_TYPES[name] ?? choices?.map((one) => JSON.stringify(one)).join(' | ') ?? typeof value;
    if (!/string|number|boolean|"|\d/.test(type)) throw new Error(`the setting ${name} needs a type`);
    // Of a switch, what its flag does.
    const does = typeof value === 'boolean' ? `${value ? 'false' : 'true'} to ${knob.doc}` : knob.doc;
    const doc = `${does.replaceAll('*/', '* /')}. Default ${describeDefault(knob)}.`;
    return [`/** ${doc[0]!.toUpperCase()}${doc.slice(1)} */`, `readonly ${name}?: ${type} | undefined;`];
  });
  return `/** What a build can be asked for. */\nexport interface BuildSettings {\n${indented(lines.join('\n'))}\n}\n`;
}
