import { operations, type Operation, type OperationName } from '@payroll/public-api';
import { curlOf } from './curl.js';
import { explanations } from './explanations.js';
import { headers, ON_EVERY_ANSWER } from './headers.js';
import { parametersOf } from './parameters.js';
import { refer, type Json } from './refer.js';
import { errorResponses, responsesOf } from './responses.js';

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
    'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curlOf(operation, explanation) }],
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
