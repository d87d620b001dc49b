import type { TSchema } from 'typebox';
import { compile } from '../reading/compile.js';
import { problemsOf } from '../reading/problems.js';

interface Shape {
  properties?: Record<string, TSchema>;
  items?: TSchema;
}

/**
 * Compiles a shape into the function that writes its answers: exactly the listed fields, in the listed order.
 * @throws Error (the function) naming the fields, never their values, when what came does not fit the public contract.
 */
export function createWriter(shape: TSchema): (value: unknown) => string {
  const validator = compile(shape);
  return (value) => {
    const shown = only(shape, value);
    if (!validator.Check(shown)) {
      const where = problemsOf(validator.Errors(shown), shown).map(({ path, code }) => `${path} (${code})`);
      throw new Error(`The answer does not fit the public contract at ${where.join(', ')}`);
    }
    return JSON.stringify(shown);
  };
}

function only(schema: TSchema, value: unknown): unknown {
  const { properties, items } = schema as Shape;
  if (Array.isArray(value)) return items ? value.map((item: unknown) => only(items, item)) : value;
  if (value === null || typeof value !== 'object' || !properties) return value;
  const from = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => from[name] !== undefined)
      .map(([name, part]) => [name, only(part, from[name])]),
  );
}
