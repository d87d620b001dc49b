import type { TSchema } from 'typebox';
import { compile } from './reading/reader.js';
import { problemsOf } from './reading/problems.js';
import type { Keywords as Shape } from './shapes/scalars.js';

/**
 * Compiles a shape into the function that writes its answers: exactly the listed fields.
 * @throws Error for a shape with an object that is open to other fields.
 * @throws Error (the function) naming the fields, never their values, when the value does not match the public contract.
 */
export function createSerializer(shape: TSchema): (value: unknown) => string {
  requireClosed(shape);
  const validator = compile(shape);
  return (value) => {
    // All its objects are closed, so a valid value has only the listed fields and needs no filtering.
    if (validator.Check(value)) return JSON.stringify(value);
    const shown = only(shape, value);
    if (!validator.Check(shown)) {
      const where = problemsOf(validator.Errors(shown), shown).map(({ path, code }) => `${path} (${code})`);
      throw new Error(`The answer does not fit the public contract at ${where.join(', ')}`);
    }
    return JSON.stringify(shown);
  };
}

function requireClosed(shape: TSchema): void {
  const { properties, items, additionalProperties } = shape as Shape;
  if (items) requireClosed(items);
  if (!properties) return;
  if (additionalProperties !== false) throw new Error('Every object of an answer says additionalProperties: false.');
  for (const part of Object.values(properties)) requireClosed(part);
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
