import { hash } from 'node:crypto';
import { stringify, v7, validate, version } from 'uuid';

/** A new UUIDv7: these ids sort by creation time, which keeps indexes warm. */
export function newId(): string {
  return v7();
}

/** UUIDs of versions 1–8 and the all-zero and all-f values (public-api.md §1), in either case. */
export function isId(value: unknown): value is string {
  return validate(value);
}

/** The same parts always give the same id: a UUIDv8 of the SHA-256 of their JSON array. */
export function derivedId(...parts: readonly string[]): string {
  return asVersion8(hash('sha256', JSON.stringify(parts), 'buffer'));
}

/** RFC 9562 §5.8: the first 128 bits of a digest, in which four become the version and two the variant. */
export function asVersion8(digest: Uint8Array): string {
  const bytes = digest.slice(0, 16);
  bytes[6] = 0x80 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return stringify(bytes);
}

/** Ids of version 8 are derived, here at least; those that callers make up are of the other versions. */
export function isDerivedId(id: string): boolean {
  return validate(id) && version(id) === 8;
}
