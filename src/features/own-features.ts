/**
 * Features that a page's owner gives beside its text: tags, attributes, terms of a learned encoder, visitors. Each named
 * group is a part of its own.
 *
 *   {"tags": {"roses": 1, "pruning": 0.5}, "visitors": {"u17": 3}}     or one group, `own`: {"roses": 1}
 *
 * They travel as the JSON text of that, groups and names in order, '' where there are none.
 */
import { cutText } from '../lib/cut-text.ts';
import { GROUP_FORM, isGroup } from './parts.ts';

/** Group to name to weight. */
export type OwnFeatures = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Of a record that gives a name and a weight without a group. */
const OWN_GROUP = 'own';

const MAX_FEATURES = 10_000;
const MAX_GROUPS = 16;
const MAX_NAME_CHARS = 200;
const LEAST_WEIGHT = 1e-9;
const MAX_WEIGHT = 1e9;

/** The features of a record, or what is wrong with them, in words. */
export function readFeatures(value: unknown): OwnFeatures | string {
  if (!isObject(value)) return 'features: expected an object';
  const given = Object.values(value);
  if (given.length > 0 && !given.some(isObject)) return checked({ [OWN_GROUP]: value });
  return checked(value);
}

/** '' for none. */
export function packFeatures(features: OwnFeatures): string {
  const groups = sortedEntries(features).filter(([, group]) => Object.keys(group).length > 0);
  if (groups.length === 0) return '';
  return JSON.stringify(
    Object.fromEntries(groups.map(([name, group]) => [name, Object.fromEntries(sortedEntries(group))])),
  );
}

export function unpackFeatures(packed: string): OwnFeatures {
  return packed === '' ? {} : (JSON.parse(packed) as OwnFeatures);
}

function checked(groups: Readonly<Record<string, unknown>>): OwnFeatures | string {
  const names = Object.keys(groups);
  if (names.length > MAX_GROUPS) return `features: ${names.length} groups; ${MAX_GROUPS} are allowed`;
  let count = 0;
  for (const [group, features] of Object.entries(groups)) {
    if (!isGroup(group)) return `features: the group ${shown(group)} is not ${GROUP_FORM}`;
    if (!isObject(features)) return `features.${group}: expected an object of names and weights`;
    for (const [name, weight] of Object.entries(features)) {
      if (++count > MAX_FEATURES) return `features: more than ${MAX_FEATURES} on a page`;
      if (name === '' || name.length > MAX_NAME_CHARS || !name.isWellFormed()) {
        return `features.${group}: the name ${shown(name)} is not of 1 to ${MAX_NAME_CHARS} characters`;
      }
      if (typeof weight !== 'number' || !(weight >= LEAST_WEIGHT && weight <= MAX_WEIGHT)) {
        return `features.${group}: the weight of ${shown(name)} is no number from ${LEAST_WEIGHT} to ${MAX_WEIGHT}`;
      }
    }
  }
  return groups as OwnFeatures;
}

function sortedEntries<T>(object: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(name: string): string {
  return JSON.stringify(cutText(name, 60));
}
