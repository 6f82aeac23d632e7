/** A JSON schema as a tree that a person reads: each member with its type, and what it means. */
import { type Html, html } from '../http/markup.ts';
import type { Shape } from './operation.ts';

type Shapes = Readonly<Record<string, Shape>>;

/** @param above names of the shapes that this one stands in: they are not written again */
export function shapeTree(shapes: Shapes, shape: Shape, above: readonly string[] = []): Html | null {
  const { shape: found, above: within } = resolved(shapes, shape, above);
  if (found === null) return null;
  const required = found.required ?? [];
  const members = Object.entries(found.properties ?? {});
  if (members.length === 0) return null;
  return html`<ul class="shape">${members.map(
    ([name, member]) =>
      html`<li><code>${name}</code> <span class="type">${typeOf(shapes, member)}${
        required.includes(name) ? '' : ', may be missing'
      }</span>${described(shapes, member)}${shapeTree(shapes, member, within)}</li>`,
  )}</ul>`;
}

function described(shapes: Shapes, shape: Shape): Html | null {
  const text = shape.description ?? (shape.$ref && named(shapes, shape.$ref)?.description);
  return text ? html`<p>${text}</p>` : null;
}

/** The object that a shape is in the end: of a list its items, of a choice the first that is an object. */
function resolved(
  shapes: Shapes,
  shape: Shape,
  above: readonly string[],
): { shape: Shape | null; above: readonly string[] } {
  if (shape.$ref !== undefined) {
    if (above.includes(shape.$ref)) return { shape: null, above };
    return resolved(shapes, named(shapes, shape.$ref) ?? {}, [...above, shape.$ref]);
  }
  const inner = shape.items ?? shape.contentSchema;
  if (inner !== undefined) return resolved(shapes, inner, above);
  if (typeof shape.additionalProperties === 'object')
    return resolved(shapes, shape.additionalProperties, above);
  const choice = shape.anyOf?.find(
    (one) => one.$ref !== undefined || one.properties !== undefined || one.items !== undefined,
  );
  return choice === undefined ? { shape, above } : resolved(shapes, choice, above);
}

function named(shapes: Shapes, reference: string): Shape | undefined {
  return shapes[reference.split('/').at(-1)!];
}

/** In words: `text`, `list of Result`, `topic | copy`. */
export function typeOf(shapes: Shapes, shape: Shape): string {
  if (shape.$ref !== undefined) return shape.$ref.split('/').at(-1)!;
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.enum !== undefined) return shape.enum.map((value) => String(value)).join(' | ');
  if (shape.anyOf !== undefined)
    return [...new Set(shape.anyOf.map((one) => typeOf(shapes, one)))].join(' or ');
  if (shape.type === 'array') return `list of ${typeOf(shapes, shape.items ?? {})}`;
  return shape.type ?? 'any value';
}
