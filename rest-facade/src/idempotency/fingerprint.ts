import { createHash } from 'node:crypto';
import { canonicalJson } from '@payroll/kernel';

/**
 * What makes two requests the same: method, full path with its ids, and the body as it was sent, before defaults, with
 * numbers by their digits.
 */
export function fingerprintOf(method: string, path: string, body: unknown): string {
  return createHash('sha256')
    .update(canonicalJson([method, path, body]))
    .digest('base64url');
}
