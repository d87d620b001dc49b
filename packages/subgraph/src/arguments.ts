import { requireScope, type Origin } from '@payroll/kernel';
import { Arg, createParameterDecorator, ID } from 'type-graphql';
import type { SubgraphContext } from './context.js';

/** Who asks for a change, and the id under which it is applied once. */
export interface Operation {
  origin: Origin;
  operationId: string | undefined;
}

const OPERATION_ID = {
  nullable: true,
  description: 'A UUID made by the caller: sent again with the same arguments, the first result comes back.',
} as const;

/** The argument `operationId` of a mutation, with who sends it. */
export function OperationOf(): ReturnType<typeof Arg> {
  return createParameterDecorator<SubgraphContext>(
    ({ args, context }): Operation => ({
      origin: context.origin,
      operationId: args['operationId'] as string | undefined,
    }),
    { arg: { name: 'operationId', typeFunc: () => ID, options: OPERATION_ID } },
  );
}

/**
 * The context of a query, for who may read.
 * @throws DomainError `INSUFFICIENT_SCOPE`
 */
export function Reader(): ReturnType<typeof Arg> {
  return createParameterDecorator<SubgraphContext>(({ context }) => {
    requireScope(context.origin.actor, 'read');
    return context;
  });
}

export function IdOf(thing: string): ReturnType<typeof Arg> {
  return Arg('id', () => ID, { description: `The id of the ${thing}.` });
}

export function ExpectedVersion(): ReturnType<typeof Arg> {
  return Arg('expectedVersion', () => String, {
    description: 'The version that was reviewed; another one is refused as stale.',
  });
}
