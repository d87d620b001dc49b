import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { isId, newId } from '@payroll/kernel';
import type { DeploymentName } from '@payroll/runtime';
import type { BearerCredential } from './protocol.js';

/**
 * `sk_test_<id>_<secret><checksum>`, in a cell `sk_test_eu1_<id>_…`. The id finds the row; the checksum finds typing errors
 * without a look-up.
 */
const FORM = /^(sk_(?:test|live)(?:_[a-z][0-9a-z]{0,7})?|it)_([0-9a-z]{25})_([0-9a-z]{50})([0-9a-z]{7})$/;

/** The place that a key is for. A cell is read only where an id follows, so that no part of another text is repeated as one. */
const PLACE = /^sk_((?:test|live)(?:_[a-z][0-9a-z]{0,7}(?=_[0-9a-z]{25}_))?)_/;

const LENGTH_AFTER_PREFIX = 25 + 1 + 50 + 7;

const TEN_DIGITS = 36n ** 10n;

/** `ca_<connection>.<claims>.<signature>`: only workspaces makes and reads the last two. */
const ASSERTION_FORM = /^ca_([0-9a-f]{32})\.([\w-]{1,400}\.[\w-]{43})$/;

/** A key with this id and a new secret each time. */
export function newApiKey(deployment: DeploymentName, id: string = newId()) {
  return newSecret(`sk_${deployment}`, id);
}

/** A token of internal staff or of a service, for the internal GraphQL endpoint. */
export function newInternalToken() {
  return newSecret('it');
}

/** Reads `Authorization: Bearer sk_…`; null for anything that cannot be a key of this deployment. */
export function parseApiKey(header: string | undefined, deployment: DeploymentName): BearerCredential | null {
  return parse(header, `sk_${deployment}`, 'api_key');
}

/** The id in an API key of any deployment; null for anything else. */
export function idOfApiKey(text: string): string | null {
  const [, place] = PLACE.exec(text) ?? [];
  return parse(`Bearer ${text}`, `sk_${place}`, 'api_key')?.id ?? null;
}

export function parseInternalToken(header: string | undefined): BearerCredential | null {
  return parse(header, 'it', 'token');
}

/** An assertion as the MCP server shows it to the facade. */
export function formatAssertion(connectionId: string, proof: string): string {
  return `ca_${connectionId.replaceAll('-', '')}.${proof}`;
}

/** Reads `Authorization: Bearer ca_…`; null for anything that cannot be an assertion. */
export function parseAssertion(header: string | undefined): BearerCredential | null {
  const [, hex = '', proof] = match(header, ASSERTION_FORM) ?? [];
  const id = uuidOf(hex);
  return proof !== undefined && isId(id) ? { kind: 'assertion', id, proof } : null;
}

/**
 * Why a header has no API key of this deployment, as far as can be checked without a look-up; this does not help to guess
 * one.
 */
export function describeApiKeyProblem(header: string | undefined, deployment: DeploymentName): string {
  const text = bearerIn(header);
  if (typeof text !== 'string') return `${text.problem} Send "Authorization: Bearer sk_${deployment}_…".`;
  const [, other = deployment] = PLACE.exec(text) ?? [];
  const isCutOff = !other.includes('_') && text.startsWith(`sk_${deployment}_`);
  if (other !== deployment && !isCutOff) {
    return `This is a key of ${inWords(other)}, but this is ${inWords(deployment)}, whose keys begin with sk_${deployment}_.`;
  }
  if (text.startsWith('it_')) return 'This is a token for the internal endpoint; here API keys are asked for.';
  if (text.startsWith('ca_')) return 'This is no assertion of the MCP server (any more).';
  const length = `sk_${deployment}_`.length + LENGTH_AFTER_PREFIX;
  return `This is no API key: one begins with sk_${deployment}_ and has ${length} characters. It may be cut off or changed.`;
}

function inWords(deployment: string): string {
  const [kind, cell] = deployment.split('_');
  return cell === undefined ? `a ${kind} deployment` : `the ${kind} cell ${cell}`;
}

export function describeTokenProblem(header: string | undefined): string {
  const text = bearerIn(header);
  if (typeof text !== 'string') return `${text.problem} Send "Authorization: Bearer it_…".`;
  if (text.startsWith('sk_'))
    return 'This is an API key; here tokens of internal teams are asked for, which begin with it_.';
  return 'This is no token of an internal team: one begins with it_. It may be cut off or changed.';
}

/** The stored form of a proof: hashed again, so that a stolen row cannot be used as a credential. */
export function hashProof(proof: string): string {
  return sha256(proof);
}

/** `text` is shown once, `hash` is stored. */
function newSecret(prefix: string, id: string = newId()) {
  const secret = base36(randomBytes(32).toString('hex'), 50);
  const body = `${prefix}_${base36(id.replaceAll('-', ''), 25)}_${secret}`;
  return { id, text: body + checksum(body), hash: hashProof(sha256(secret)) };
}

function bearerIn(header: string | undefined): string | { problem: string } {
  if (header === undefined || header === '') return { problem: 'The header Authorization is missing.' };
  // One or more spaces (RFC 9110 §11.4).
  const [, scheme, text] = /^(\S+)(?: +(.*))?$/.exec(header) ?? [];
  if (scheme?.toLowerCase() !== 'bearer') return { problem: 'The header Authorization is not of the scheme Bearer.' };
  if (!text || text.includes(' '))
    return { problem: 'The header Authorization must have one credential after "Bearer ".' };
  return text;
}

function match(header: string | undefined, form: RegExp): RegExpExecArray | null {
  const text = bearerIn(header);
  return typeof text === 'string' ? form.exec(text) : null;
}

function parse(header: string | undefined, prefix: string, kind: BearerCredential['kind']): BearerCredential | null {
  const [text = '', found, base36Id = '', secret = '', sum] = match(header, FORM) ?? [];
  if (found !== prefix || checksum(text.slice(0, -7)) !== sum) return null;
  const value = (digits(base36Id.slice(0, 5)) * TEN_DIGITS + digits(base36Id.slice(5, 15))) * TEN_DIGITS;
  const id = uuidOf((value + digits(base36Id.slice(15))).toString(16).padStart(32, '0'));
  return isId(id) ? { kind, id, proof: sha256(secret) } : null;
}

function uuidOf(hex: string): string {
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
