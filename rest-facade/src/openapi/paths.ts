import { operations, type Operation } from '@payroll/public-api';
import { headers, ON_EVERY_ANSWER } from './headers.js';
import { parametersOf } from './parameters.js';
import { refer, type Json } from './refer.js';
import { errorResponses, responsesOf } from './responses.js';

/** Every operation below `/v1`, the document itself included. */
export function paths(): Record<string, Json> {
  const paths: Record<string, Json> = {};
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    const { method, path } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationItem(name, operation) };
  }
  return { ...paths, '/openapi.json': { get: documentItem } };
}

function operationItem(operationId: string, operation: Operation): Json {
  const { path, summary, body, scope } = operation;
  const parameters = parametersOf(operation);
  return {
    operationId,
    tags: [tagOf(path)],
    summary,
    description: `Needs the scope \`${scope}\`.`,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: refer(body.shape) } } } }),
    responses: responsesOf(operation),
  };
}

/** `/contracts/{id}/milestones` belongs to milestones: what it is about is the last word of its path. */
function tagOf(path: string): string {
  const [tag = ''] = path
    .split('/')
    .filter((part) => /^(contracts|timesheets|milestones|payments|balances|business)$/.test(part))
    .slice(-1);
  return tag;
}

const documentItem: Json = {
  operationId: 'getOpenApi',
  tags: ['contract document'],
  summary: 'Get this document',
  description:
    'Needs no credential. Send the `ETag` of your copy as `If-None-Match` to learn cheaply whether it is current.',
  security: [],
  responses: {
    200: {
      description: 'This document.',
      headers: headers(...ON_EVERY_ANSWER, 'ETag', 'Cache-Control'),
      content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
    },
    304: {
      description: 'Your copy is current.',
      headers: headers(...ON_EVERY_ANSWER, 'ETag', 'Cache-Control'),
    },
    ...errorResponses(['INVALID_REQUEST', 'INTERNAL_ERROR']),
  },
};
