import { FIELD_KINDS, FIELD_NAME_FORM, type FieldKind, isFieldName } from './page-fields.ts';

type DeclaredFields = Readonly<Record<string, FieldKind>>;

const MAX_DECLARED = 64;
/** What `parseDeclared` takes, for people. */
export const FIELDS_FORM = `up to ${MAX_DECLARED} names, each of ${FIELD_NAME_FORM}, and may be :${FIELD_KINDS.join(', :')}`;

/** Reads `category,price:number`; a name alone takes any value. Undefined for what is of no such form. */
export function parseDeclared(text: string): DeclaredFields | undefined {
  const declared = new Map<string, FieldKind>();
  for (const piece of text === '' ? [] : text.split(',')) {
    const [name = '', kind = 'any', ...rest] = piece.trim().split(':');
    const known = FIELD_KINDS.find((one) => one === kind);
    if (!isFieldName(name) || known === undefined || rest.length > 0 || declared.has(name)) return undefined;
    declared.set(name, known);
  }
  const sorted = [...declared].sort(([a], [b]) => (a < b ? -1 : 1));
  return declared.size > MAX_DECLARED ? undefined : Object.fromEntries(sorted);
}

/** The text that `parseDeclared` reads as these. */
export function formatDeclared(declared: DeclaredFields): string {
  return Object.entries(declared)
    .map(([name, kind]) => (kind === 'any' ? name : `${name}:${kind}`))
    .join(',');
}
