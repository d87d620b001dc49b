import { requireText } from './invalid.js';

/**
 * Nonempty once trimmed and at most 2000 characters (public-api.md §8).
 * @throws DomainError `VALIDATION_FAILED`
 */
export function readReason(text: string): string {
  const reason = text.trim();
  requireText('reason', reason, 1, 2_000);
  return reason;
}
