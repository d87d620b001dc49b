import type { Operation } from '../support/document.js';
import type { RawRequest } from './integrator.js';

/** The operation's path with this id in place of each parameter. */
export const pathWith = ({ path }: Operation, id: string): string => path.replaceAll(/\{\w+\}/g, id);

/** The names of its query parameters. */
export function queryOf({ parameters }: Operation): string[] {
  return parameters.flatMap(({ name, in: place }) => (place === 'query' ? [name] : []));
}

/** A request of the operation, with the smallest body that its schema accepts. */
export function requestOf({ method, body }: Operation, key: string, more: object = {}): RawRequest {
  if (body === undefined) return { key, method };
  const least = Object.fromEntries((body.required ?? []).map((name) => [name, 'anything']));
  return { key, method, body: { ...least, ...more }, idempotencyKey: crypto.randomUUID() };
}
