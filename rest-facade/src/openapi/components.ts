import { canonicalJson, type ErrorCode } from '@payroll/kernel';
import { components, ErrorBody, type ApiOperation } from '@payroll/public-api';
import { ERROR_STATUSES, ERROR_TABLE, type ErrorStatus } from '../errors.js';
import type { Explanation } from './explanations.js';

export type Json = Record<string, unknown>;

/** Keywords that a use of a shape may add without making it another shape. */
const ANNOTATIONS: ReadonlySet<string> = new Set(['description', 'default', 'examples', 'title']);

const named: ReadonlyMap<string, { name: string; shape: Json }> = new Map(
  Object.entries<object>(components).map(([name, shape]) => [essence(shape as Json), { name, shape: shape as Json }]),
);

/** A shape as the document shows it: a reference if it is a named one, with the annotations of this use. */
export function toReference(shape: object): Json {
  const { essential, said } = parted(shape as Json);
  const found = named.get(canonicalJson(essential));
  if (found) return { $ref: `#/components/schemas/${found.name}`, ...differing(said, found.shape) };
  const present = withoutNull(essential);
  const presentNamed = present && named.get(canonicalJson(present));
  if (presentNamed) {
    const reference = { $ref: `#/components/schemas/${presentNamed.name}` };
    return { ...differing(said, presentNamed.shape), oneOf: [reference, { type: 'null' }] };
  }
  return inlineSchema(shape);
}

/** A shape written out, with references for its parts. */
export function inlineSchema(shape: object): Json {
  const { properties, items, ...rest } = shape as Json & { properties?: Record<string, object>; items?: object };
  return {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, toReference(part)])),
    }),
    ...(items && { items: toReference(items) }),
  };
}

function essence(shape: Json): string {
  return canonicalJson(parted(shape).essential);
}

function parted(shape: Json): { essential: Json; said: Json } {
  const entries = Object.entries(shape);
  return {
    essential: Object.fromEntries(entries.filter(([keyword]) => !ANNOTATIONS.has(keyword))),
    said: Object.fromEntries(entries.filter(([keyword]) => ANNOTATIONS.has(keyword))),
  };
}

function differing(said: Json, shape: Json): Json {
  return Object.fromEntries(Object.entries(said).filter(([keyword, value]) => shape[keyword] !== value));
}

/** A nullable shape without null; null for a shape that is not nullable. */
function withoutNull({ type, enum: words, ...rest }: Json): Json | null {
  if (!Array.isArray(type) || type.length !== 2 || type[1] !== 'null') return null;
  const present = { ...rest, type: type[0] as unknown };
  return Array.isArray(words) ? { ...present, enum: words.filter((word) => word !== null) } : present;
}

const text = (description: string, pattern: string, example: string): Json => ({
  description,
  schema: { type: 'string', maxLength: 256, pattern },
  example,
});

/** Headers of answers, by their names. */
export const headerComponents: Readonly<Record<string, Json>> = {
  'X-Request-Id': {
    description: 'Names this request in every log; the error body repeats it. Keep it for support.',
    schema: { type: 'string', format: 'uuid', maxLength: 36 },
    example: '019b2f6e-6c1d-7a54-8f0e-5d2f3a9b7c41',
  },
  'RateLimit-Policy': text(
    'The limits that hold for the caller: `q` requests in `w` seconds.',
    String.raw`^"[a-z]+";q=\d+;w=\d+(, "[a-z]+";q=\d+;w=\d+)*$`,
    '"reads";q=600;w=60, "workspace";q=2000;w=60',
  ),
  RateLimit: text(
    'What is left: `r` requests, for `t` more seconds. The shared limit of the workspace joins when it is the nearer one.',
    String.raw`^"[a-z]+";r=\d+;t=\d+(, "[a-z]+";r=\d+;t=\d+)*$`,
    '"reads";r=599;t=42',
  ),
  'Retry-After': {
    description: 'Whole seconds after which a retry makes sense.',
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 86_400 },
    example: 17,
  },
  'WWW-Authenticate': text('Always `Bearer`.', '^Bearer$', 'Bearer'),
  'Idempotency-Replayed': {
    description:
      '`true` when an earlier request with the same key was carried out, and this is its result; absent otherwise.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  ETag: text('Changes with the document.', '^"[A-Za-z0-9_-]+"$', '"o0bVk3u6c1mQ2rXw"'),
  'Cache-Control': text('How long a copy may be used.', '^[a-z0-9=, -]+$', 'public, max-age=300'),
};

export function headers(...names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export const ON_EVERY_ANSWER = ['X-Request-Id'] as const;
const ON_ADMITTED = [...ON_EVERY_ANSWER, 'RateLimit-Policy', 'RateLimit'] as const;

const statuses = Object.keys(ERROR_STATUSES).map(Number) as ErrorStatus[];

/** The error answers, each described once. */
export const responseComponents: Json = Object.fromEntries(
  statuses.map((status) => [
    ERROR_STATUSES[status].name,
    {
      description: ERROR_STATUSES[status].description,
      headers: headers(...headersOf(status)),
      content: {
        'application/json': {
          schema: toReference(ErrorBody),
          examples: Object.fromEntries(
            codesOf(status).map((code) => [code, { $ref: `#/components/examples/${code}` }]),
          ),
        },
      },
    },
  ]),
);

/** The responses of an operation: its success, and every declared error with the codes that are possible here. */
export function responsesOf(operation: ApiOperation, { answer, answers }: Explanation): Json {
  const { success, body } = operation;
  return {
    [success.status]: {
      description: answer,
      headers: headers(...ON_ADMITTED, ...(body ? ['Idempotency-Replayed'] : [])),
      content: { 'application/json': { schema: toReference(success.shape), examples: answers } },
    },
    ...errorResponses(refusalsOf(operation)),
  };
}

export function errorResponses(codes: readonly ErrorCode[]): Json {
  return Object.fromEntries(
    statuses.map((status) => {
      const { name, description } = ERROR_STATUSES[status];
      const here = codes.filter((code) => ERROR_TABLE[code].status === status).map((code) => `\`${code}\``);
      const said =
        here.length > 0
          ? `${description} Here: ${here.join(', ')}.`
          : 'Not answered here. Declared so that all operations can be handled alike.';
      return [status, { $ref: `#/components/responses/${name}`, description: said }];
    }),
  );
}

/** Every code with which an operation can fail. */
function refusalsOf({ params, body, conflicts = [] }: ApiOperation): ErrorCode[] {
  return [
    'INVALID_REQUEST',
    'INVALID_CREDENTIAL',
    'INSUFFICIENT_SCOPE',
    'INTEGRATION_DISABLED',
    ...(body ? (['WRITES_DISABLED'] as const) : []),
    ...(Object.keys(params.properties).length > 0 ? (['NOT_FOUND'] as const) : []),
    ...conflicts,
    ...(body ? OF_BODIES : []),
    'RATE_LIMITED',
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
  ];
}

const OF_BODIES = [
  'IDEMPOTENCY_KEY_REUSED',
  'OPERATION_IN_PROGRESS',
  'OPERATION_EXPIRED',
  'PAYLOAD_TOO_LARGE',
  'VALIDATION_FAILED',
] as const;

function headersOf(status: ErrorStatus): readonly string[] {
  if (status === 401) return [...ON_EVERY_ANSWER, 'WWW-Authenticate'];
  return [409, 429, 503].includes(status) ? [...ON_ADMITTED, 'Retry-After'] : ON_ADMITTED;
}

function codesOf(status: ErrorStatus): ErrorCode[] {
  return (Object.keys(ERROR_TABLE) as ErrorCode[]).filter((code) => ERROR_TABLE[code].status === status);
}
