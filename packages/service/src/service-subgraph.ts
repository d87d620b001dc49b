import type { ServiceName } from '@payroll/kernel';
import type { SubgraphDefinition } from '@payroll/subgraph';
import { auditTrail } from './audit-trail/audit-trail.js';
import type { ServiceDefinition, ServiceParts } from './definition.js';

/** What a service answers: its own fields, and those that every service has. */
export function serviceSubgraph(
  { name, subgraph }: Pick<ServiceDefinition<ServiceName>, 'name' | 'subgraph'>,
  parts: ServiceParts,
): SubgraphDefinition {
  const own = subgraph(parts);
  return { ...own, resolvers: [...own.resolvers, auditTrail(name, parts.em)] };
}
