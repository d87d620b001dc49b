import { Id, IDEMPOTENCY_KEY_PATTERN, type Operation } from '@payroll/public-api';
import { refer, type Json } from './refer.js';

/** Parameters that several operations take. */
export const parameterComponents: Json = {
  Id: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The id of the resource.',
    schema: Id,
    example: '019a8c10-5d2e-7f61-b3a4-9e07c1d58203',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: true,
    description: 'One for each thing you intend to do; a retry of it sends the same one. See *Idempotency*.',
    schema: { type: 'string', minLength: 16, maxLength: 128, pattern: IDEMPOTENCY_KEY_PATTERN },
    example: 'approve-2026-11-03-7f61b3a4',
  },
};

/** Path, query and header parameters of an operation. */
export function parametersOf({ params, query, body }: Operation): Json[] {
  return [
    ...namesOf(params).map(() => ({ $ref: '#/components/parameters/Id' })),
    ...queryParameters(query),
    ...(body ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ];
}

const EXAMPLES: Json = {
  updatedSince: '2026-11-02T09:15:30.000415Z',
  contractId: '019a3f5e-8b1c-7d24-9c6a-41f0b2d7e801',
  externalReference: 'hr-4711',
};

function queryParameters(query: object): Json[] {
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

function namesOf(shape: { properties: object }): string[] {
  return Object.keys(shape.properties);
}
