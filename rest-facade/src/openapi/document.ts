import { readFileSync } from 'node:fs';
import {
  components,
  Id,
  IDEMPOTENCY_KEY_PATTERN,
  operations,
  type ApiOperation,
  type OperationName,
} from '@payroll/public-api';
import type { TObject } from 'typebox';
import { ERROR_STATUSES, ERROR_TABLE } from '../errors.js';
import {
  errorResponses,
  headerComponents,
  headers,
  ON_EVERY_ANSWER,
  toReference,
  responseComponents,
  responsesOf,
  inlineSchema,
  type Json,
} from './components.js';
import { explanations, TAGS, type Explanation } from './explanations.js';
import { TIMESHEET_ID, keySampleOf } from './samples.js';

/** The machine-readable contract (public-api.md §9), made of the same shapes that check requests and write answers. */
export function openApiDocument(publicUrl: string): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Contract and payroll API',
      version: '1.0.0',
      summary: 'Contracts, timesheets, milestones, payments and balances of one workspace.',
      description: readFileSync(new URL('../../introduction.md', import.meta.url), 'utf8'),
      contact: { name: 'Support', email: 'support@example.com' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      {
        url: publicUrl,
        description: 'Where this document came from: the test or the production environment.',
        'x-internal': false,
      },
    ],
    security: [{ apiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: paths(),
    components: {
      schemas: Object.fromEntries(Object.entries(components).map(([name, shape]) => [name, inlineSchema(shape)])),
      parameters: parameterComponents,
      headers: headerComponents,
      responses: responseComponents,
      examples: errorExamples,
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'sk_test_… or sk_live_…',
          description: 'An API key of the workspace. See *Authentication* for scopes and roles.',
        },
      },
    },
  };
}

/** Every operation below `/v1`, the document itself included. */
function paths(): Record<string, Json> {
  const found: Record<string, Json> = {};
  for (const [name, operation] of Object.entries<ApiOperation>(operations)) {
    const { method, path } = operation;
    found[path] = { ...found[path], [method.toLowerCase()]: operationItem(name as OperationName, operation) };
  }
  return { ...found, '/openapi.json': { get: documentItem } };
}

function operationItem(operationId: OperationName, operation: ApiOperation): Json {
  const { summary, body, scope } = operation;
  const explanation = explanations[operationId];
  const parameters = parametersOf(operation);
  return {
    operationId,
    tags: [explanation.tag],
    summary,
    description: `${explanation.description}\n\nNeeds the scope \`${scope}\`.`,
    'x-scope': scope,
    'x-codeSamples': codeSamples(operationId, operation, explanation),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: toReference(body.shape), examples: explanation.requests } },
      },
    }),
    responses: responsesOf(operation, explanation),
  };
}

const documentItem: Json = {
  operationId: 'getOpenApi',
  tags: ['Document'],
  summary: 'Get this document',
  description:
    'Needs no credential. Send the `ETag` of your copy as `If-None-Match`: the answer is 304 while it is current.',
  security: [],
  responses: {
    200: {
      description: 'This document.',
      headers: headers(...ON_EVERY_ANSWER, 'ETag', 'Cache-Control'),
      content: {
        'application/json': {
          schema: {
            type: 'object',
            description: 'An OpenAPI 3.1 document.',
            required: ['openapi'],
            properties: { openapi: { type: 'string', const: '3.1.0', description: 'The version of OpenAPI.' } },
          },
          examples: { excerpt: { summary: 'How it begins', value: { openapi: '3.1.0' } } },
        },
      },
    },
    304: { description: 'Your copy is current.', headers: headers(...ON_EVERY_ANSWER, 'ETag', 'Cache-Control') },
    ...errorResponses(['INVALID_REQUEST', 'INTERNAL_ERROR']),
  },
};

/** Parameters that several operations take. */
const parameterComponents = {
  Id: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The id of the resource.',
    schema: Id,
    example: TIMESHEET_ID,
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: true,
    description: 'One for each thing you intend to do; a retry of it sends the same one. See *Idempotency*.',
    schema: { type: 'string', minLength: 16, maxLength: 128, pattern: IDEMPOTENCY_KEY_PATTERN },
    example: '4711-7f61b3a4-2026-11-03',
  },
} satisfies Json;

/** Path, query and header parameters of an operation. */
function parametersOf({ params, query, body }: ApiOperation): Json[] {
  return [
    ...Object.keys(params.properties).map(() => ({ $ref: '#/components/parameters/Id' })),
    ...queryParameters(query),
    ...(body ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ];
}

const EXAMPLES: Json = {
  updatedSince: '2026-11-02T09:15:30.000415Z',
  contractId: '019a3f5e-8b1c-7d24-9c6a-41f0b2d7e801',
  externalReference: 'hr-4711',
};

function queryParameters(query: TObject): Json[] {
  const { properties, required = [] } = query as { properties: Record<string, object>; required?: string[] };
  return Object.entries(properties).map(([name, part]) => {
    const { description, ...schema } = toReference(part);
    const example = EXAMPLES[name];
    return {
      name,
      in: 'query',
      required: required.includes(name),
      description,
      schema,
      ...(example !== undefined && { example }),
    };
  });
}

/** One failure of every code, by its code. */
export const errorExamples: Json = Object.fromEntries(
  Object.entries(ERROR_TABLE).map(([code, { status, next, message, details }]) => {
    const { type } = ERROR_STATUSES[status];
    const requestId = '019a8d77-20b6-7f43-a1c8-5e93d7b2040c';
    return [
      code,
      { summary: next, value: { error: { type, code, message, status, requestId, ...(details && { details }) } } },
    ];
  }),
);

/** An operation in each language. Tests run every sample. */
export const codeSamples = (name: OperationName, operation: ApiOperation, explanation: Explanation) => [
  { lang: 'Shell', label: 'curl', source: curlOf(name, operation, explanation) },
  { lang: 'JavaScript', label: '@payroll/sdk', source: callOf(name, operation, explanation) },
];

/** `URL` is the address of the API, `KEY` an API key. */
function curlOf(name: OperationName, { path, body, query }: ApiOperation, { requests = {} }: Explanation): string {
  const filled = path.replace('{id}', TIMESHEET_ID);
  const isList = 'limit' in query.properties;
  const [first] = Object.values(requests);
  return [
    `curl "$URL${filled}${isList ? '?limit=20' : ''}"`,
    '-H "Authorization: Bearer $KEY"',
    ...(body
      ? [
          "-H 'Content-Type: application/json'",
          `-H 'Idempotency-Key: ${keySampleOf(name)}'`,
          `-d '${JSON.stringify(first?.value).replaceAll("'", String.raw`'\''`)}'`,
        ]
      : []),
  ].join(' \\\n  ');
}

/** `payroll` is a `Payroll` of the SDK, with these two. */
function callOf(
  operationId: OperationName,
  { params, query, body }: ApiOperation,
  { requests = {} }: Explanation,
): string {
  const id = `'${TIMESHEET_ID}'`;
  const [first] = Object.values(requests);
  const { expectedVersion, reason, ...draft } = (first?.value ?? {}) as { expectedVersion?: string; reason?: string };
  const inputs = [
    ...('id' in params.properties
      ? [expectedVersion === undefined ? id : `{ id: ${id}, version: '${expectedVersion}' }`]
      : []),
    ...(reason === undefined ? [] : [`'${reason}'`]),
    ...(body && expectedVersion === undefined ? [JSON.stringify(draft)] : []),
    ...('limit' in query.properties ? ['{ limit: 20 }'] : []),
    ...(body ? [`{ operation: '${keySampleOf(operationId)}' }`] : []),
  ];
  return `await payroll.${operationId}(${inputs.join(', ')})`;
}
