import { requireScope, authorizeCommand, type Team, type CommandPolicy } from '@payroll/kernel';
import type { SubgraphContext } from '@payroll/service';
import { type Arg, createParameterDecorator } from 'type-graphql';

/** The teams that support employers with members, keys and connections. */
export const SUPPORTERS: readonly Team[] = ['service', 'support', 'operations'];

/**
 * Access to the management of a workspace: internal teams, and its people as `who` allows; never API keys or
 * connections.
 * @throws DomainError `INSUFFICIENT_SCOPE` for everyone else.
 */
export function ReaderOf(who: CommandPolicy<void>): ReturnType<typeof Arg> {
  return createParameterDecorator<SubgraphContext>(({ context: { origin } }) => {
    authorizeCommand(who, origin.actor, undefined);
    requireScope(origin.actor, 'read');
    return origin.actor;
  });
}
