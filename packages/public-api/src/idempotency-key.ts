/** public-api.md §4: 16–128 letters, digits, `_` and `-`. */
const FORM = /^[A-Za-z0-9_-]{16,128}$/;

export function isIdempotencyKey(value: unknown): value is string {
  return typeof value === 'string' && FORM.test(value);
}
