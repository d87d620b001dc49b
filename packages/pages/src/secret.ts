import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits that a browser or a link carries; what is stored of them is `hashSecret`. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Enough for what nobody can guess: no salt and no slowness is needed for 256 random bits. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Whether a text can be one: anything else is not looked up. */
export function isSecret(text: string | undefined): text is string {
  return text !== undefined && /^[A-Za-z0-9_-]{43}$/.test(text);
}
