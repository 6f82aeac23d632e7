/**
 * Checks parameters against their TypeBox schema, from a query string or a JSON body.
 *
 * The schema is the one truth (the OpenAPI document is made of it too); this reader knows the few
 * shapes that parameters have, which makes it cheap and lets it say what came and what is allowed. Of an
 * object inside a body it says only that it is one: `readInside` reads it.
 */
import type { Static, TObject } from 'typebox';
import { cutText } from '../../../lib/cut-text.ts';
import { isFieldName } from '../../../page/fields/page-fields.ts';
import { mostTypos, TypoMeter } from '../../../text/search/typos.ts';
import type { ParameterFaultAnswer } from '../../schemas/answers/problem-answers.ts';
import { Problem, shortened } from '../problems/problem.ts';
import { MALFORMED, type QueryText } from './query-text.ts';

interface Rule {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  readonly enum?: readonly string[];
  readonly items?: Rule;
  readonly anyOf?: readonly Rule[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: unknown;
}

type ParameterReader<S extends TObject> = (input: unknown) => Static<S>;

const BAD = Symbol('bad');
/** Names that some route takes in its address. */
const addressNames = new Set<string>();
/** As JSON writes it, or without the 0 before its point. */
const NUMBER = /^-?(?:\d{1,20}(?:\.\d{1,1000})?|\.\d{1,1000})(?:e[+-]?\d{1,3})?$/i;

/**
 * `inAddress` are names that the same route takes in its address.
 *
 * Errors  the reader throws Problem `invalid-parameters` (query) or `invalid-body` (body) that lists every fault.
 */
export function parameterReader<S extends TObject>(
  schema: S,
  source: 'query' | 'body',
  inAddress: object = {},
): ParameterReader<S> {
  const rules = new Map(Object.entries(schema.properties as unknown as Record<string, Rule>));
  const names = [...rules.keys()];
  if (source === 'query') for (const name of names) addressNames.add(name);
  const required = (schema.required ?? []) as readonly string[];
  const defaults: Record<string, unknown> = {};
  for (const [name, rule] of rules) if ('default' in rule) defaults[name] = rule.default;
  const convert = source === 'query' ? fromText : fromJson;

  return (input) => {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      throw new Problem('invalid-body', `send a JSON object with ${names.join(', ')}`);
    }
    const values: Record<string, unknown> = { ...defaults };
    const faults: ParameterFaultAnswer[] = [];
    for (const name in input) {
      const received = (input as Record<string, unknown>)[name];
      const rule = rules.get(name);
      if (rule === undefined) {
        faults.push({
          parameter: name,
          detail: `${UNKNOWN}${meant(name, names, Object.hasOwn(inAddress, name))}`,
          received: shortened(received),
          allowed: names,
        });
        continue;
      }
      const value = convert(rule, received);
      if (value === BAD)
        faults.push(
          fault(name, rule, received, source, rule.type === 'object' && Object.hasOwn(inAddress, name)),
        );
      else values[name] = value;
    }
    for (const piece of (input as QueryText)[MALFORMED] ?? []) {
      const detail = 'not valid percent-encoded UTF-8';
      faults.push({
        parameter: piece.split('=', 1)[0] ?? '',
        detail,
        received: shortened(piece),
        allowed: '%XX',
      });
    }
    for (const name of required) {
      if (values[name] !== undefined || faults.some((f) => f.parameter === name)) continue;
      faults.push({
        parameter: name,
        detail: 'missing',
        received: null,
        allowed: describe(rules.get(name)!),
      });
    }
    if (faults.length > 0) throw refusal(faults, source, source === 'query' && hasCutUrl(input));
    return values as Static<S>;
  };
}

const UNKNOWN = 'unknown parameter';
const IN_ADDRESS = '; it belongs into the address, behind ?';

/** What an unknown name is likely to be, as the end of a sentence. */
function meant(name: string, names: readonly string[], isInAddress: boolean): string {
  if (isInAddress) return IN_ADDRESS;
  const letters = lettersOf(name);
  const meter = new TypoMeter(letters, mostTypos(letters));
  const near = names.find((one) => meter.measure(lettersOf(one)).distance <= mostTypos(letters));
  if (near !== undefined) return `; did you mean ${near}?`;
  if (addressNames.has(name)) return '; other routes take it, this one does not';
  return names.includes('field') && isFieldName(name)
    ? `; a field of pages is asked for as field.${name}`
    : '';
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}

/** Whether a URL with a query of its own may have lost what stood behind its first &. */
function hasCutUrl(input: object): boolean {
  return Object.values(input).some((value) => typeof value === 'string' && /^https?:[^?]*\?/i.test(value));
}

function refusal(faults: ParameterFaultAnswer[], source: 'query' | 'body', isCut: boolean): Problem {
  const texts = faults.map((f) => `${f.parameter}: ${f.detail}`);
  if (isCut && faults.some((f) => f.detail.startsWith(UNKNOWN))) {
    texts.push('a URL inside a query must be percent-encoded as a whole (encodeURIComponent)');
  }
  return new Problem(
    source === 'query' ? 'invalid-parameters' : 'invalid-body',
    cutText(texts.join('; '), 1000),
    {
      errors: faults.slice(0, 20),
    },
  );
}

function fault(
  parameter: string,
  rule: Rule,
  received: unknown,
  source: 'query' | 'body',
  isInAddress: boolean,
): ParameterFaultAnswer {
  const allowed = describe(rule);
  if (source === 'query' && rule.type !== 'array' && Array.isArray(received)) {
    const more = parameter === 'url' ? '; for several pages use POST /related/batch' : '';
    return {
      parameter,
      detail: `given ${received.length} times, takes one value${more}`,
      received: shortened(received),
      allowed,
    };
  }
  const detail = `must be ${allowed}${isInAddress ? '; of the same name there is one in the address, behind ?' : ''}`;
  return { parameter, detail, received: shortened(received), allowed };
}

function fromText(rule: Rule, received: unknown): unknown {
  if (rule.type === 'array') {
    return fromJson(rule, Array.isArray(received) ? received : [received]);
  }
  if (typeof received !== 'string') return BAD;
  switch (rule.type) {
    case 'integer':
    case 'number':
      return NUMBER.test(received) ? fromJson(rule, Number(received)) : BAD;
    case 'boolean':
      return received === 'true' ? true : received === 'false' ? false : BAD;
    default:
      return fromJson(rule, received);
  }
}

function fromJson(rule: Rule, received: unknown): unknown {
  if (rule.enum !== undefined) return rule.enum.includes(received as string) ? received : BAD;
  if (rule.anyOf !== undefined && rule.type === undefined)
    return rule.anyOf.some((one) => fromJson(one, received) !== BAD) ? received : BAD;
  switch (rule.type) {
    case 'boolean':
      return typeof received === 'boolean' ? received : BAD;
    case 'integer':
      return Number.isSafeInteger(received) ? inRange(rule, received as number) : BAD;
    case 'number':
      return typeof received === 'number' ? inRange(rule, received) : BAD;
    case 'array': {
      if (!Array.isArray(received)) return BAD;
      if (received.length < (rule.minItems ?? 0) || received.length > (rule.maxItems ?? 1e9)) return BAD;
      return received.every((item) => fromJson(rule.items!, item) !== BAD) ? received : BAD;
    }
    case 'object':
      return typeof received === 'object' && received !== null && !Array.isArray(received) ? received : BAD;
    default:
      return typeof received === 'string' && isOfLength(rule, received) ? received : BAD;
  }
}

/** By code points, as JSON Schema counts them. */
function isOfLength({ minLength = 0, maxLength = 1e9 }: Rule, text: string): boolean {
  if (text.length >= 2 * minLength && text.length <= maxLength) return true;
  if (text.length < minLength || text.length > 2 * maxLength) return false;
  const { length } = Array.from(text);
  return length >= minLength && length <= maxLength;
}

function inRange(rule: Rule, value: number): unknown {
  return value >= (rule.minimum ?? -Infinity) && value <= (rule.maximum ?? Infinity) ? value : BAD;
}

/**
 * Reads an object inside a body; its route calls this once the body itself is read.
 *
 * Errors  as `read`, what is wrong and each fault named as of `path`.
 */
export function readInside<T>(path: string, read: (input: unknown) => T, input: unknown): T {
  try {
    return read(input);
  } catch (error) {
    throw faultInside(path, error);
  }
}

/** An error of what stands at a path, as one of the whole. */
export function faultInside(path: string, error: unknown): unknown {
  if (!(error instanceof Problem)) return error;
  const { code, message, errors, nearest } = error;
  const named = errors?.map((one) => ({ ...one, parameter: `${path}.${one.parameter}` }));
  const extra = { ...(named && { errors: named }), ...(nearest && { nearest }) };
  return new Problem(code, `${path}: ${message}`, { ...extra, cause: error });
}

/** In words, for the person who reads the refusal. */
function describe(rule: Rule): string {
  if (rule.enum !== undefined) return `one of ${rule.enum.join(', ')}`;
  if (rule.anyOf !== undefined && rule.type === undefined) return rule.anyOf.map(describe).join(' or ');
  switch (rule.type) {
    case 'boolean':
      return 'true or false';
    case 'integer':
    case 'number': {
      const noun = rule.type === 'integer' ? 'an integer' : 'a number';
      return rule.maximum === undefined
        ? `${noun} of at least ${rule.minimum ?? 0}`
        : `${noun} from ${rule.minimum} to ${rule.maximum}`;
    }
    case 'array':
      return `${rule.minItems ?? 0} to ${rule.maxItems} values, each ${describe(rule.items!)}`;
    case 'object':
      return 'a JSON object';
    default: {
      const noun = rule.format === 'uri' ? 'an absolute http or https URL' : 'a text';
      if (rule.maxLength === undefined) return noun;
      return (rule.minLength ?? 0) > 0
        ? `${noun} of ${rule.minLength} to ${rule.maxLength} characters`
        : `${noun} of at most ${rule.maxLength} characters`;
    }
  }
}
