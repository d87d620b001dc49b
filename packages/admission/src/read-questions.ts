import { isId, SCOPES } from '@payroll/kernel';
import type { AdmissionQuestion, Credential } from './protocol.js';

/** What a header can hold: ids and addresses may come from one. */
const TEXT = /^[\x20-\x7e\xa0-\xff]{0,255}$/;

/** A SHA-256 in base64url, after what it was made of in an assertion. */
const PROOF = /^(?:[\w-]{1,400}\.)?[\w-]{43}$/;

/**
 * The questions of one message, in their order; null for one that is malformed, so that it spoils no other of its batch.
 * @throws TypeError for what is no list.
 */
export function readQuestions(body: unknown): (AdmissionQuestion | null)[] {
  if (!Array.isArray(body)) throw new TypeError('Admission is asked a list of questions.');
  return body.map((each) => (fits(QUESTION, each) ? each : null));
}

type Checks<T> = { readonly [Field in keyof Required<T>]: (value: unknown) => boolean };

const isText = (value: unknown): boolean => typeof value === 'string' && TEXT.test(value);
const isTextOrNone = (value: unknown): boolean => value === undefined || typeof value === 'string';
const oneOf =
  (...words: readonly unknown[]) =>
  (value: unknown): boolean =>
    words.includes(value);

const CREDENTIAL: Checks<Credential> = {
  kind: oneOf('api_key', 'token', 'assertion'),
  id: isId,
  proof: (value) => typeof value === 'string' && PROOF.test(value),
};

const QUESTION: Checks<AdmissionQuestion> = {
  credential: (value) => value === null || fits(CREDENTIAL, value),
  via: oneOf('rest', 'mcp', 'graphql'),
  requestId: isText,
  clientAddress: isText,
  limit: oneOf('reads', 'writes'),
  scope: oneOf(null, ...SCOPES),
  workspaceId: isTextOrNone,
  reason: isTextOrNone,
  traceparent: isTextOrNone,
};

function fits<T>(checks: Checks<T>, value: unknown): value is T {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries<(value: unknown) => boolean>(checks).every(([name, check]) => check(Reflect.get(value, name)));
}
