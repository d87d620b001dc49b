import { DomainError, type ErrorDetail } from '@payroll/kernel';
import {
  createParameterReader,
  createReader,
  isIdempotencyKey,
  operations,
  readJson,
  type Operation,
  type OperationName,
  type Reading,
} from '@payroll/public-api';
import { isJson } from '../http/content-type.js';
import { refuseUnknownRoute } from '../http/unknown-route.js';
import type { QueryText } from '../http/query-string.js';
import type { OperationInput } from './bindings.js';

/** The parts of a request that an operation looks at. */
export interface RequestParts {
  params: Readonly<Record<string, string>>;
  query: QueryText;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: unknown;
}

export interface OperationRequest {
  input: OperationInput;
  /** The path below `/v1` with its ids. */
  path: string;
  /** Only a write has these. */
  write?: {
    key: string;
    /** The body as it was sent: before defaults, numbers by their digits. */
    asSent: unknown;
  };
}

type Parameters = Record<string, unknown>;

/**
 * Compiles how a request to an operation is read.
 * @throws DomainError (the function) `INVALID_REQUEST` for path, query, headers and what is not JSON, all but the last
 * together; `VALIDATION_FAILED` for a body that does not fit, with all its problems.
 */
export function createRequestReader(name: OperationName): (parts: RequestParts) => OperationRequest {
  const operation: Operation = operations[name];
  const readParams = createParameterReader(operation.params);
  const readQuery = createParameterReader(operation.query);
  const readBody = operation.body && createReader(operation.body.shape, operation.body.rules);
  return ({ params, query, headers, body }) => {
    // `/contracts/` is no contract without an id, but another path.
    if (Object.values(params).includes('')) refuseUnknownRoute();
    const problems: ErrorDetail[] = [...query.problems];
    const input: OperationInput = {
      params: valueOf<Parameters>(readParams(params), problems),
      query: valueOf<Parameters>(readQuery(query.parameters), problems),
      body: undefined,
    };
    if (readBody) problems.push(...headerProblems(headers));
    if (problems.length > 0)
      throw new DomainError('INVALID_REQUEST', 'The request is not valid.', { details: problems });
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_all, parameter: string) => String(input.params[parameter]));
    if (!readBody) return { input, path };

    const json = readJson(Buffer.isBuffer(body) ? body : Buffer.alloc(0));
    const reading = readBody(json);
    if (!reading.ok) {
      throw new DomainError('VALIDATION_FAILED', 'The body does not fit; see details.', { details: reading.problems });
    }
    const key = headers['idempotency-key'] as string;
    return { input: { ...input, body: reading.value }, path, write: { key, asSent: json.exact } };
  };
}

function headerProblems(headers: RequestParts['headers']): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  if (!isJson(headers['content-type'] as string | undefined))
    problems.push({ path: 'Content-Type', code: 'invalid_value' });
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    problems.push({ path: 'Content-Encoding', code: 'invalid_value' });
  const key = headers['idempotency-key'];
  if (key === undefined) problems.push({ path: 'Idempotency-Key', code: 'required' });
  else if (!isIdempotencyKey(key)) problems.push({ path: 'Idempotency-Key', code: 'invalid_format' });
  return problems;
}

function valueOf<Value extends object>(reading: Reading<unknown>, problems: ErrorDetail[]): Value {
  if (reading.ok) return reading.value as Value;
  problems.push(...reading.problems);
  return {} as Value;
}
