import type { Static, TObject } from 'typebox';
import { readValue } from './json.js';
import { createReader, type Reading } from './reader.js';

/** The spelling of a whole number that needs no second look; anything else stays text and is refused as such. */
const WHOLE_NUMBER = /^(0|-?[1-9]\d{0,15})$/;

/** Compiles a shape of path or query parameters, which travel as text: its integers are read from their digits. */
export function createParameterReader<Shape extends TObject>(
  shape: Shape,
): (parameters: Readonly<Record<string, string>>) => Reading<Static<Shape>> {
  const read = createReader(shape);
  const integers = Object.entries(shape.properties as Record<string, { type?: string }>)
    .filter(([, { type }]) => type === 'integer')
    .map(([name]) => name);
  return (parameters) => {
    const typed: Record<string, unknown> = { ...parameters };
    for (const name of integers) {
      const text = parameters[name];
      if (text !== undefined && WHOLE_NUMBER.test(text)) typed[name] = Number(text);
    }
    return read(readValue(typed));
  };
}
