import { v7, validate } from 'uuid';

/** A new UUIDv7: ids made here sort by the time they were made, which keeps indexes warm. */
export function newId(): string {
  return v7();
}

/** UUIDs of versions 1–8 and the all-zero and all-f values (public-api.md §1), in either case. */
export function isId(value: unknown): value is string {
  return validate(value);
}
