import type { TSchema } from 'typebox';
import { TRIMMED } from '../shapes/scalars.js';

/** Cuts the white space off the properties that are read without it, before lengths are measured. */
export function trimmerOf(shape: TSchema): (sent: unknown) => unknown {
  const { properties = {} } = shape as { properties?: Record<string, TSchema> };
  const names = Object.keys(properties).filter((name) => TRIMMED in properties[name]!);
  if (names.length === 0) return (sent) => sent;
  return (sent) => {
    if (sent === null || typeof sent !== 'object' || Array.isArray(sent)) return sent;
    const parts = sent as Record<string, unknown>;
    const texts = names.filter((name) => Object.hasOwn(parts, name) && typeof parts[name] === 'string');
    return { ...parts, ...Object.fromEntries(texts.map((name) => [name, (parts[name] as string).trim()])) };
  };
}
