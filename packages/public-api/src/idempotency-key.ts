/** public-api.md §4: 16–128 letters, digits, `_` and `-`. */
export const IDEMPOTENCY_KEY_PATTERN = '^[A-Za-z0-9_-]{16,128}$';

const FORM = new RegExp(IDEMPOTENCY_KEY_PATTERN);

export function isIdempotencyKey(value: unknown): value is string {
  return typeof value === 'string' && FORM.test(value);
}
