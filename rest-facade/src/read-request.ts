import { DomainError, type ErrorDetail } from '@payroll/kernel';
import { refuseUnknownRoute } from '@payroll/runtime';
import {
  below,
  createParameterReader,
  createReader,
  distinct,
  explain,
  joinFirst,
  isIdempotencyKey,
  operations,
  readJson,
  type ApiOperation,
  type OperationName,
  type Reading,
} from '@payroll/public-api';
import type { TSchema } from 'typebox';
import type { OperationInput } from './bindings.js';
import { fingerprintOf } from './idempotency.js';

/** The parts of a request that an operation looks at. */
export interface RequestParts {
  params: Readonly<Record<string, string>>;
  query: QueryText;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: unknown;
}

interface OperationRequest<Name extends OperationName> {
  input: OperationInput<Name>;
  /** Only a write has these: its `Idempotency-Key`, and what tells it from another request with that key. */
  write?: { key: string; fingerprint: string };
}

type Parameters = Record<string, unknown>;

/**
 * Compiles how a request to an operation is read.
 * @throws DomainError (the function) `INVALID_REQUEST` for path, query, headers and invalid JSON, all but the last
 * together; `VALIDATION_FAILED` for an invalid body, with all its problems.
 */
export function createRequestReader<Name extends OperationName>(
  name: Name,
): (parts: RequestParts) => OperationRequest<Name> {
  const operation: ApiOperation = operations[name];
  const readParams = createParameterReader(operation.params);
  const readQuery = createParameterReader(operation.query);
  const readBody = operation.body && createReader(operation.body.shape, operation.body.rules);
  return ({ params, query, headers, body }) => {
    // `/contracts/` is an unknown path, not a contract with an empty id.
    if (Object.values(params).includes('')) refuseUnknownRoute();
    const found: Problem[] = query.problems.map((detail) => ({ detail, words: explain(operation.query, [detail]) }));
    const asked = {
      params: valueOf(readParams(params), operation.params, found),
      query: valueOf(readQuery(query.parameters), operation.query, found),
    };
    // The readers are compiled from the very shapes that the type follows from.
    const inputWith = (value: unknown) => ({ ...asked, body: value }) as OperationInput<Name>;
    if (readBody) found.push(...headerProblems(headers));
    if (found.length > 0) throw refused(found);
    if (!readBody) return { input: inputWith(undefined) };

    const json = readJson(Buffer.isBuffer(body) ? body : Buffer.alloc(0));
    const reading = readBody(json);
    if (!reading.ok) {
      const { problems: details, explanation } = reading;
      throw new DomainError('VALIDATION_FAILED', `The body does not fit: ${explanation}.`, { details });
    }
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_all, parameter: string) => String(asked.params[parameter]));
    const fingerprint = fingerprintOf(operation.method, `/v1${path}`, json.exact);
    const key = headers['idempotency-key'] as string;
    return { input: inputWith(reading.value), write: { key, fingerprint } };
  };
}

interface Problem {
  detail: ErrorDetail;
  words: string;
}

function refused(found: readonly Problem[]): DomainError {
  const words = joinFirst(found.map((each) => each.words));
  const details = distinct(found.map(({ detail }) => detail));
  return new DomainError('INVALID_REQUEST', `The request is not valid: ${words}.`, { details });
}

function headerProblems(headers: RequestParts['headers']): Problem[] {
  const problems: Problem[] = [];
  const add = (path: string, code: string, words: string): unknown =>
    problems.push({ detail: { path, code }, words: `${path} ${words}` });
  if (!isJson(headers['content-type'] as string | undefined)) {
    add('Content-Type', 'invalid_value', 'must be application/json');
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    add('Content-Encoding', 'invalid_value', 'must be identity: bodies are not compressed');
  }
  const key = headers['idempotency-key'];
  if (key === undefined) add('Idempotency-Key', 'required', `is required: ${KEY_FORM}, a new one for each write`);
  else if (!isIdempotencyKey(key)) add('Idempotency-Key', 'invalid_format', `must be ${KEY_FORM}`);
  return problems;
}

const KEY_FORM = '16 to 128 letters, digits, _ or -';

function valueOf(reading: Reading<unknown>, shape: TSchema, found: Problem[]): Parameters {
  if (reading.ok) return reading.value as Parameters;
  found.push(...reading.problems.map((detail) => ({ detail, words: explain(shape, [detail]) })));
  return {};
}

/** `application/json`, in UTF-8 if a charset is named; other parameters mean nothing to JSON (RFC 8259 §11). */
export function isJson(contentType: string | undefined): boolean {
  const [type = '', ...parameters] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.map((part) => /^charset="?([^"]*)"?$/.exec(part)?.[1]).find((name) => name !== undefined);
  return type === 'application/json' && (charset === undefined || charset === 'utf-8');
}

export interface QueryText {
  parameters: Readonly<Record<string, string>>;
  problems: readonly ErrorDetail[];
}

/** Reads a query strictly: a parameter that is given twice, or is no UTF-8, is refused rather than guessed at. */
export function readQueryString(text: string): QueryText {
  const parameters = new Map<string, string>();
  const problems: ErrorDetail[] = [];
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1));
    if (name === null || value === null) problems.push({ path: below('', name ?? ''), code: 'invalid_encoding' });
    else if (parameters.has(name)) problems.push({ path: below('', name), code: 'repeated' });
    else parameters.set(name, value);
  }
  return { parameters: Object.fromEntries(parameters), problems: distinct(problems) };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
