import { IDEMPOTENCY_KEY_PATTERN, type Operation } from '@payroll/public-api';
import { refer, type Json } from './refer.js';

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description: 'Chosen by the client, one for each intent; a retry sends the same one. See Idempotency above.',
  schema: { type: 'string', minLength: 16, maxLength: 128, pattern: IDEMPOTENCY_KEY_PATTERN },
};

/** Parameters that several operations take. */
export const parameterComponents: Json = { IdempotencyKey: idempotencyKey };

/** Path, query and header parameters of an operation. */
export function parametersOf({ params, query, body }: Operation): Json[] {
  return [
    ...listed('path', params),
    ...listed('query', query),
    ...(body ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ];
}

interface ObjectShape {
  properties: Record<string, object>;
  required?: string[];
}

function listed(place: 'path' | 'query', shape: object): Json[] {
  const { properties, required = [] } = shape as ObjectShape;
  return Object.entries(properties).map(([name, part]) => {
    const { description, ...schema } = refer(part);
    return {
      name,
      in: place,
      required: required.includes(name),
      ...(description !== undefined && { description }),
      schema,
    };
  });
}
