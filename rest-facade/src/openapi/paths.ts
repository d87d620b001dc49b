import { Id, IDEMPOTENCY_KEY_PATTERN, operations, type Operation, type OperationName } from '@payroll/public-api';
import type { TObject } from 'typebox';
import { codeSamples } from './code-samples.js';
import { explanations } from './explanations.js';
import { refer, type Json } from './refer.js';
import { errorResponses, headers, ON_EVERY_ANSWER, responsesOf } from './responses.js';
import { TIMESHEET_ID } from './samples.js';

/** Every operation below `/v1`, the document itself included. */
export function paths(): Record<string, Json> {
  const found: Record<string, Json> = {};
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    const { method, path } = operation;
    found[path] = { ...found[path], [method.toLowerCase()]: operationItem(name as OperationName, operation) };
  }
  return { ...found, '/openapi.json': { get: documentItem } };
}

function operationItem(operationId: OperationName, operation: Operation): Json {
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
        content: { 'application/json': { schema: refer(body.shape), examples: explanation.requests } },
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
export const parameterComponents = {
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
function parametersOf({ params, query, body }: Operation): Json[] {
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
    const { description, ...schema } = refer(part);
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
