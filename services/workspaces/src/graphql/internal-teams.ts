import { requireInternal, requireScope, type Team } from '@payroll/kernel';
import type { SubgraphContext } from '@payroll/subgraph';
import { type Arg, createParameterDecorator } from 'type-graphql';

/** Who helps employers with members, keys and connections. */
export const SUPPORTERS: readonly Team[] = ['service', 'support', 'operations'];

/** The workspace that an internal team reads. @throws DomainError `INSUFFICIENT_SCOPE` for anybody else. */
export function InternalReader(): ReturnType<typeof Arg> {
  return createParameterDecorator<SubgraphContext>(({ context: { origin } }) => {
    requireInternal(origin.actor);
    requireScope(origin.actor, 'read');
    return origin.actor.workspaceId;
  });
}
