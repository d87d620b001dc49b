import 'reflect-metadata';
import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError, isId, requireInternal, requireScope, type ServiceName } from '@payroll/kernel';
import type { Page } from '@payroll/store';
import { Teams, type SubgraphContext } from '@payroll/subgraph';
import { Args, Ctx, Query, Resolver } from 'type-graphql';
import { listAuditEntries, type AuditEntry } from './list-audit-entries.js';
import { AuditPage, AUDITORS, AuditTrailArguments } from './types.js';

/** The root field `<service>AuditTrail`: each service tells its own part, as each has tables of its own. */
export function auditTrail(service: ServiceName, em: EntityManager): object {
  @Resolver()
  class AuditTrail {
    @Teams(...AUDITORS)
    @Query(() => AuditPage, {
      name: `${service}AuditTrail`,
      description: `What was changed in ${service}, newest first. For internal teams.`,
    })
    async auditTrail(
      @Args(() => AuditTrailArguments) filters: AuditTrailArguments,
      @Ctx() { origin: { actor } }: SubgraphContext,
    ): Promise<Page<AuditEntry>> {
      requireInternal(actor);
      requireScope(actor, 'read');
      requireIds(filters);
      return await listAuditEntries(em, service, actor.workspaceId, filters);
    }
  }
  return new AuditTrail();
}

function requireIds({ subjectId, principalId }: AuditTrailArguments): void {
  for (const [path, id] of Object.entries({ subjectId, principalId })) {
    if (id == null || isId(id)) continue;
    throw new DomainError('INVALID_REQUEST', `${path} is a UUID.`, { details: [{ path, code: 'invalid_format' }] });
  }
}
