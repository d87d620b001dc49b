import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError, isId, requireInternal, type ServiceName } from '@payroll/kernel';
import { AuditEntryTable } from '@payroll/commands';
import { computed, columnsExcept, Keyset, read, sql, type Page } from '@payroll/store';
import * as field from './graphql/fields.js';
import { NULLABLE } from './graphql/fields.js';
import { PageArguments, pageType, ReadCtx } from './graphql/arguments.js';
import { type SubgraphContext } from './graphql/context.js';
import { VisibleTo } from './graphql/permissions.js';
import { Args, ArgsType, Directive, ObjectType, Query, Resolver } from 'type-graphql';

const AUDITORS = ['support', 'operations', 'finance'] as const;

@VisibleTo({ teams: AUDITORS })
@Directive('@shareable')
@ObjectType({ description: 'Who changed what, through what, in which request.' })
class AuditEntry {
  @field.id('The id of the entry, a UUID.') id!: string;
  @field.time('When it was done.') at!: string;
  @field.text('api_key, connection, staff, service or system.') actorKind!: string;
  @field.id('The principal of the key, connection or internal token; all zero for the system.') principalId!: string;
  @field.text('The door it came through: rest, mcp, graphql, event or runner.') via!: string;
  @field.text('Leads to the request in every log.') requestId!: string;
  @field.text('What was done, such as contract.signed.') action!: string;
  @field.id('What it was done to.') subjectId!: string;
  @VisibleTo({ teams: ['operations', 'finance'] })
  @field.text('What changed, as JSON: from what to what, or what was made.')
  change!: string;
}

const AuditPage = pageType(AuditEntry, 'audit entries', AUDITORS, 'AuditPage');
Directive('@shareable')(AuditPage);

@ArgsType()
class AuditFilters extends PageArguments {
  @field.id('Only what was done to this thing.', NULLABLE) subjectId?: string | null;
  @field.id('Only what this principal did.', NULLABLE) principalId?: string | null;
}

/** The root field `<service>AuditTrail`: each service tells its own part, as each has tables of its own. */
export function auditTrail(service: ServiceName, em: EntityManager): object {
  @Resolver()
  class AuditTrail {
    @VisibleTo({ teams: AUDITORS })
    @Query(() => AuditPage, {
      name: `${service}AuditTrail`,
      description: `What was changed in ${service}, newest first. For internal teams.`,
    })
    auditTrail(
      @Args(() => AuditFilters) filters: AuditFilters,
      @ReadCtx() { origin: { actor } }: SubgraphContext,
    ): Promise<Page<AuditEntry>> {
      requireInternal(actor);
      requireIds(filters);
      return listAuditEntries(em, service, actor.workspaceId, filters);
    }
  }
  return new AuditTrail();
}

function requireIds({ subjectId, principalId }: AuditFilters): void {
  for (const [path, id] of Object.entries({ subjectId, principalId })) {
    if (id == null || isId(id)) continue;
    throw new DomainError('INVALID_REQUEST', `${path} is a UUID.`, { details: [{ path, code: 'invalid_format' }] });
  }
}

/** Newest first. An entry never changes: its only time is when it was made. */
export async function listAuditEntries(
  em: EntityManager,
  service: string,
  workspaceId: string,
  { subjectId = null, principalId = null, ...page }: AuditFilters,
): Promise<Page<AuditEntry>> {
  const filters = { subjectId, principalId };
  const keyset = new Keyset({ list: `audit of ${service}`, workspaceId, filters, ...page });
  const statement = keyset.statement(ENTRIES, 'audit_entry', [
    subjectId && sql`subject_id = ${subjectId}`,
    principalId && sql`principal_id = ${principalId}`,
  ]);
  return keyset.page(await read(em, statement), (row) => ({ ...row, change: JSON.stringify(row.change) }));
}

const ENTRIES = sql`select ${columnsExcept(AuditEntryTable, 'workspaceId')},
    ${computed('createdAt', 'timestamptz', sql`at`)}, ${computed('updatedAt', 'timestamptz', sql`at`)}
  from (select *, at as created_at from audit_entry) audit_entry`;
