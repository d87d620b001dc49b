import { canonicalJson } from '@payroll/kernel';
import { components } from '@payroll/public-api';

export type Json = Record<string, unknown>;

/** What a use of a shape may say of it, without making it another one. */
const ANNOTATIONS: ReadonlySet<string> = new Set(['description', 'default', 'examples', 'title']);

const named: ReadonlyMap<string, { name: string; shape: Json }> = new Map(
  Object.entries<object>(components).map(([name, shape]) => [essence(shape as Json), { name, shape: shape as Json }]),
);

/** A shape as the document shows it: a reference where it is one of the named ones, whatever this use says of it. */
export function refer(shape: object): Json {
  const { essential, said } = parted(shape as Json);
  const found = named.get(canonicalJson(essential));
  if (found) return { $ref: `#/components/schemas/${found.name}`, ...differing(said, found.shape) };
  const present = withoutNull(essential);
  const presentNamed = present && named.get(canonicalJson(present));
  if (presentNamed) {
    const reference = { $ref: `#/components/schemas/${presentNamed.name}` };
    return { ...differing(said, presentNamed.shape), oneOf: [reference, { type: 'null' }] };
  }
  return spelledOut(shape);
}

/** A shape with references below, but not for itself. */
export function spelledOut(shape: object): Json {
  const { properties, items, ...rest } = shape as Json & { properties?: Record<string, object>; items?: object };
  return {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, refer(part)])),
    }),
    ...(items && { items: refer(items) }),
  };
}

function essence(shape: Json): string {
  return canonicalJson(parted(shape).essential);
}

function parted(shape: Json): { essential: Json; said: Json } {
  const entries = Object.entries(shape);
  return {
    essential: Object.fromEntries(entries.filter(([keyword]) => !ANNOTATIONS.has(keyword))),
    said: Object.fromEntries(entries.filter(([keyword]) => ANNOTATIONS.has(keyword))),
  };
}

function differing(said: Json, shape: Json): Json {
  return Object.fromEntries(Object.entries(said).filter(([keyword, value]) => shape[keyword] !== value));
}

/** The shape of a nullable one when it is not null; null for one that never is. */
function withoutNull({ type, enum: words, ...rest }: Json): Json | null {
  if (!Array.isArray(type) || type.length !== 2 || type[1] !== 'null') return null;
  const present = { ...rest, type: type[0] as unknown };
  return Array.isArray(words) ? { ...present, enum: words.filter((word) => word !== null) } : present;
}
