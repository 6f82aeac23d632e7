/** TypeScript of the library and the client, from the schemas that document the HTTP service. */
import { BUILD_ROWS } from '../src/indexer/options/build-options.ts';
import { defaultOf, describeDefault, type Knob } from '../src/indexer/options/knob.ts';
import { ROUTES } from '../src/service/routes/table.ts';
import { ANSWER_SCHEMAS } from '../src/service/schemas/answers/answers.ts';
import { type Parameters, propertiesOf } from '../src/service/schemas/parameter.ts';
import { BatchBody, CompareBody, GroupBody, SimilarBody } from '../src/service/schemas/parameters/bodies.ts';

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
  if (properties !== undefined) return bodyOf(schema);
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
const OF_WRITES = ['WrittenPage', 'WrittenPages', 'LineFault', 'Pending', 'Fold'];
const LEFT_OUT = ['Alive', 'Ready', 'Feedback', ...OF_WRITES];
/** Parts that the library names by themselves. */
const ALONE: readonly unknown[] = ['Problem', 'SharedTerm'];

function nameOf(id: string): string {
  return ANSWERS.has(id) ? `${id}Answer` : id;
}

interface Shape {
  readonly name: string;
  readonly schema: Schema;
  readonly isExported: boolean;
}

/** Fewer properties are said again. */
const LEAST_SHARED = 3;
const LEAST_SHARED_BUT_ONE = 8;

/** Of the interfaces of one file; one that has all properties of another, or of a long one all but one, extends it. */
function interfacesOf(shapes: readonly Shape[]): string[] {
  const all = shapes.map(({ schema }) => new Set(linesOf(schema)));
  return shapes.map(({ name, schema, isExported }, i) => {
    const bases = all.flatMap((lines, j) => {
      const others = [...lines.difference(all[i]!)];
      const isBase = others.length === 0 && lines.size >= LEAST_SHARED && lines.size < all[i]!.size;
      const isBaseButOne = others.length === 1 && lines.size > LEAST_SHARED_BUT_ONE && j < i;
      const omitted = /readonly (\w+)/.exec(others[0] ?? '')?.[1];
      const text = omitted ? `Omit<${shapes[j]!.name}, '${omitted}'>` : shapes[j]!.name;
      return isBase || isBaseButOne ? [{ text, lines }] : [];
    });
    const [base] = bases.sort((a, b) => b.lines.size - a.lines.size);
    const own =
      base === undefined ? linesOf(schema) : linesOf(schema).filter((line) => !base.lines.has(line));
    const head = `${isExported ? 'export ' : ''}interface ${name}${base ? ` extends ${base.text}` : ''}`;
    return `${head} {\n${indented(own.join('\n'))}\n}\n`;
  });
}

/** The parameters of a route without those that a method takes by itself; none need be given. */
function optionsOf(rows: Parameters, ...own: string[]): Schema {
  const properties = propertiesOf(rows) as Record<string, Schema>;
  return {
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !own.includes(name))),
  };
}

/** Files of src/library/generated. */
export function generatedTypes(): Readonly<Record<string, string>> {
  const { lists, others } = answerTypes();
  const settings = settingTypes();
  return { 'lists.ts': lists, 'others.ts': others, 'questions.ts': questionTypes(), 'settings.ts': settings };
}

const HEAD = (what: string) =>
  `/** ${what}, from the schemas of the service: \`npm run openapi\` writes this file. */\n`;

/** What other schemas than those of lists and clusters need of them, or only they need of others. */
const FIRST_OF_OTHERS = 'Feedback';
const AMONG_LISTS = ['ResultGroup', 'ResultContainment'];

/** Answers: lists and clusters first, the others import from them. */
function answerTypes(): { readonly lists: string; readonly others: string } {
  const all = ANSWER_SCHEMAS as unknown as readonly Schema[];
  const schemas = all.filter(({ $id }) => !LEFT_OUT.includes($id!));
  const from = all.findIndex(({ $id }) => $id === FIRST_OF_OTHERS);
  const isList = (schema: Schema) => all.indexOf(schema) < from || AMONG_LISTS.includes(schema.$id!);
  const lists = schemas.filter(isList);
  const others = schemas.filter((schema) => !isList(schema));
  const isNamed = (text: string, { $id }: Schema) => new RegExp(`: .*\\b${nameOf($id!)}\\b`).test(text);
  const shapeOf = (schema: Schema, isExported: boolean) => ({
    name: nameOf(schema.$id!),
    schema,
    isExported,
  });
  const othersText = interfacesOf(others.map((schema) => shapeOf(schema, ANSWERS.has(schema.$id))));
  const shared = lists.filter((schema) => isNamed(othersText.join('\n'), schema));
  const listTexts = interfacesOf(
    lists.map((schema) => {
      const isExported = ANSWERS.has(schema.$id) || ALONE.includes(schema.$id) || shared.includes(schema);
      return shapeOf(schema, isExported);
    }),
  );
  const imported = shared.map(({ $id }) => nameOf($id!)).sort();
  return {
    lists: [HEAD('Answers with lists and clusters'), ...listTexts].join('\n'),
    others: [
      HEAD('The other answers'),
      `import type { ${imported.join(', ')} } from './lists.ts';\n`,
      ...othersText,
    ].join('\n'),
  };
}

/** What is asked by, and what is posted. */
function questionTypes(): string {
  const of = (name: keyof typeof ROUTES) => ROUTES[name].query;
  const compared = (CompareBody as unknown as Schema).properties!['a']!;
  const { results } = (GroupBody as unknown as Schema).properties!;
  const { urls: _urls, ...batch } = (BatchBody as unknown as Schema).properties!;
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
    GivenDocument: SimilarBody as unknown as Schema,
    ComparedDocument: compared,
  };
  const shapes = Object.entries(options).map(([name, schema]) => ({ name, schema, isExported: true }));
  return [
    HEAD('What the service is asked by'),
    ...interfacesOf(shapes),
    `export type GroupedResult = ${typeOf(results!.items!)};\n`,
  ].join('\n');
}

/** Settings whose values are no texts, numbers or switches. */
const SETTING_TYPES: Readonly<Partial<Record<string, string>>> = {
  parts: 'Readonly<Record<string, number>> | string',
  stopWords: 'string | null',
  classes: 'readonly (readonly [url: string, path: string])[] | null',
  pairSimilarity: 'number | null',
  copyClusterings: 'string | readonly string[]',
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
  return `${HEAD('What a build can be asked for')}\nexport interface BuildSettings {\n${indented(lines.join('\n'))}\n}\n`;
}
