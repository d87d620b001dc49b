import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { newId } from '@payroll/kernel';
import type { Credential } from './protocol.js';

export type Deployment = 'test' | 'live';

/**
 * What a person copies into a secret store: `sk_test_<id>_<secret><checksum>`. The id finds the row, the secret is
 * 256 random bits, the checksum lets scanners and typing errors be told apart from real keys without a look-up.
 */
const FORM = /^(sk_test|sk_live|it)_([0-9a-z]{25})_([0-9a-z]{50})([0-9a-z]{7})$/;

const TEN_DIGITS = 36n ** 10n;

export interface NewSecret {
  id: string;
  /** Shown once. */
  text: string;
  /** What is stored. */
  hash: string;
}

export function newApiKey(deployment: Deployment): NewSecret {
  return newSecret(`sk_${deployment}`);
}

/** A token of internal staff or of a service, for the internal GraphQL endpoint. */
export function newInternalToken(): NewSecret {
  return newSecret('it');
}

/** Reads `Authorization: Bearer sk_…`; null for anything that cannot be a key of this deployment. */
export function parseApiKey(header: string | undefined, deployment: Deployment): Credential | null {
  return parse(header, `sk_${deployment}`, 'api_key');
}

export function parseInternalToken(header: string | undefined): Credential | null {
  return parse(header, 'it', 'token');
}

/** What is kept of a proof: hashed once more, so that what is stored cannot be presented. */
export function hashProof(proof: string): string {
  return sha256(proof);
}

function newSecret(prefix: string): NewSecret {
  const id = newId();
  const secret = base36(randomBytes(32).toString('hex'), 50);
  const body = `${prefix}_${base36(id.replaceAll('-', ''), 25)}_${secret}`;
  return { id, text: body + checksum(body), hash: hashProof(sha256(secret)) };
}

function parse(header: string | undefined, prefix: string, kind: Credential['kind']): Credential | null {
  const [scheme, text, ...rest] = header?.split(' ') ?? [];
  if (scheme?.toLowerCase() !== 'bearer' || text === undefined || rest.length > 0) return null;
  const match = FORM.exec(text);
  if (!match || match[1] !== prefix || checksum(text.slice(0, -7)) !== match[4]) return null;
  const id = uuidFrom(match[2]!);
  return id === null ? null : { kind, id, proof: sha256(match[3]!) };
}

function uuidFrom(base36Id: string): string | null {
  const value = (digits(base36Id.slice(0, 5)) * TEN_DIGITS + digits(base36Id.slice(5, 15))) * TEN_DIGITS;
  const hex = (value + digits(base36Id.slice(15))).toString(16).padStart(32, '0');
  if (hex.length !== 32) return null;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** At most ten: more would not fit a number exactly. */
function digits(base36Digits: string): bigint {
  return BigInt(Number.parseInt(base36Digits, 36));
}

function base36(hex: string, width: number): string {
  return BigInt(`0x${hex}`).toString(36).padStart(width, '0');
}

function checksum(body: string): string {
  return crc32(body).toString(36).padStart(7, '0');
}

function sha256(text: string): string {
  return hash('sha256', text, 'base64url');
}
