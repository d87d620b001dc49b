import { hash, randomBytes } from 'node:crypto';

/** 256 random bits for a cookie or a link; only their `hashSecret` is stored. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** 256 random bits cannot be guessed, so no salt and no slow hash are needed. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** Whether a text can be one. */
export function isSecret(text: string | undefined): text is string {
  return text !== undefined && /^[A-Za-z0-9_-]{43}$/.test(text);
}
