import type { TSchema } from 'typebox';
import { compile } from './reading/reader.js';
import { problemsOf } from './reading/problems.js';
import type { Keywords as Shape } from './shapes/scalars.js';

/**
 * Compiles a shape into the function that writes its answers. A field that is not listed is a misfit: none was requested (ADR
 * 07).
 * @throws Error for a shape with an object that is open to other fields.
 * @throws Error (the function) naming the fields, never their values, when the value does not match the public contract.
 */
export function createSerializer(shape: TSchema): (value: unknown) => string {
  requireClosed(shape);
  const validator = compile(shape);
  return (value) => {
    // All its objects are closed, so a valid value has only the listed fields.
    if (validator.Check(value)) return JSON.stringify(value);
    const where = problemsOf(validator.Errors(value), value).map(({ path, code }) => `${path} (${code})`);
    throw new Error(`The answer does not fit the public contract at ${where.join(', ')}`);
  };
}

function requireClosed(shape: TSchema): void {
  const { properties, items, additionalProperties } = shape as Shape;
  if (items) requireClosed(items);
  if (!properties) return;
  if (additionalProperties !== false) throw new Error('Every object of an answer says additionalProperties: false.');
  for (const part of Object.values(properties)) requireClosed(part);
}
