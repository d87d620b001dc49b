import {
  Directive,
  ObjectType,
  Args,
  ArgsType,
  type ClassType,
  Ctx,
  FieldResolver,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AuditEntryTable } from '@payroll/commands';
import {
  ROLES,
  TEAMS,
  DomainError,
  isId,
  type Actor,
  type Instant,
  type Role,
  type ServiceName,
} from '@payroll/kernel';
import { columns, read, sql } from '@payroll/store';
import * as field from './graphql/fields.js';
import { VisibleTo } from './graphql/permissions.js';
import { NULLABLE } from './graphql/fields.js';
import { ReadCtx } from './graphql/arguments.js';
import type { SubgraphContext } from './graphql/context.js';

/** The members who may see an action of the audit trail, and the parts of its change that they see. */
interface VisibleAction {
  readonly to: readonly Role[];
  readonly facts: readonly string[];
}

/** By action. Other actions are not shown to members; internal teams read the audit trail. */
export type VisibleActions = Readonly<Record<string, VisibleAction>>;

export const visibleToAllRoles = (...facts: string[]): VisibleAction => ({ to: ROLES, facts });
export const visibleToAdmins = (...facts: string[]): VisibleAction => ({ to: ['admin'], facts });

/** The names of staff and of services are internal. */
const IS_NAMED: Readonly<Record<Actor['kind'], boolean>> = {
  person: true,
  worker: true,
  api_key: true,
  connection: true,
  staff: false,
  service: false,
  system: false,
};
/** Kinds of actors whose names members may see. */
export const NAMED: ReadonlySet<string> = new Set(
  Object.entries(IS_NAMED).flatMap(([kind, isNamed]) => (isNamed ? [kind] : [])),
);

/** In every service but workspaces, which knows more. */
@VisibleTo({ teams: TEAMS, people: ROLES })
@Directive('@key(fields: "id", resolvable: false)')
@ObjectType({ description: 'Who did something; workspaces knows the name.' })
export class Principal {
  @field.id('As the audit trails have it, a UUID.') id!: string;
}

@VisibleTo({ teams: [], people: ROLES })
@Directive('@shareable')
@ObjectType({ description: 'What changed of a thing: from what to what, or what it is where it was made.' })
class ActivityFact {
  @field.text('Its name, such as role.') name!: string;
  @field.text('Null where there was nothing before.', NULLABLE) from!: string | null;
  @field.text('Null where there is nothing any more.', NULLABLE) to!: string | null;
}

@ArgsType()
class ActivityFilters {
  @field.int('1–101.', { defaultValue: 50 }) limit!: number;
  @field.time('Only what is older, or of this moment and before `beforeId`.', NULLABLE) before?: Instant | null;
  @field.id('The id of the last entry that is known.', NULLABLE) beforeId?: string | null;
  @field.time('Only what is of this moment or newer.', NULLABLE) since?: Instant | null;
  @field.id('Only what was done to this thing.', NULLABLE) subjectId?: string | null;
  @field.id('Only what this principal did.', NULLABLE) principalId?: string | null;
}

/** A class for each service, because the service's own resolver resolves the principal. */
function entryClass() {
  @VisibleTo({ teams: [], people: ROLES })
  @Directive('@shareable')
  @ObjectType('ActivityEntry', { description: 'What was done, as the people of the workspace may see it.' })
  class ActivityEntry {
    @field.id('The id of the entry in the audit trail, a UUID.') id!: string;
    @field.time('When.') at!: Instant;
    @field.text('person, api_key, connection, staff, service or system.') actorKind!: string;
    @field.text('What was done, such as contract.signed.') action!: string;
    @field.id('What it was done to.') subjectId!: string;
    @field.of(() => [ActivityFact], 'What changed.') facts!: ActivityFact[];
    principalId!: string;
  }
  return ActivityEntry;
}

type Entry = InstanceType<ReturnType<typeof entryClass>>;

export interface ActivityOptions {
  visibleActions: VisibleActions;
  /** The service's own class of the type; without one only the id is returned. */
  principal?: ClassType;
}

/**
 * The root field `<service>Activity`: the audit trail that members may see. Entries of all services have
 * one order, by time and id, so a merged list needs only the position of its last entry.
 */
export function activity(
  service: ServiceName,
  em: EntityManager,
  { visibleActions, principal = Principal }: ActivityOptions,
  findPrincipal: (reference: { id: string }, context: SubgraphContext) => Promise<unknown>,
): object {
  const ActivityEntry = entryClass();

  @Resolver(() => ActivityEntry)
  class Activity {
    @VisibleTo({ teams: [], people: ROLES })
    @Query(() => [ActivityEntry], {
      name: `${service}Activity`,
      description: `What was done in ${service}, newest first. For the application.`,
    })
    activity(
      @Args(() => ActivityFilters) filters: ActivityFilters,
      @ReadCtx() { origin: { actor } }: SubgraphContext,
    ): Promise<Entry[]> {
      return listActivity(em, visibleActions, actor, filters);
    }

    @VisibleTo({ teams: [], people: ROLES })
    @FieldResolver(() => principal, { nullable: true, description: 'Null for staff, the application and the system.' })
    by(@Root() { actorKind, principalId }: Entry, @Ctx() context: SubgraphContext): unknown {
      return NAMED.has(actorKind) ? findPrincipal({ id: principalId }, context) : null;
    }
  }
  return new Activity();
}

const COLUMNS = columns(AuditEntryTable, 'id', 'at', 'actorKind', 'principalId', 'action', 'subjectId', 'change');

/** @throws DomainError `INVALID_REQUEST` for a limit out of bounds or an invalid id */
async function listActivity(em: EntityManager, acts: VisibleActions, actor: Actor, filters: ActivityFilters) {
  const { limit, before, beforeId, since, subjectId, principalId } = filters;
  const ids = { beforeId, subjectId, principalId };
  const wrong = Object.entries(ids).flatMap(([path, id]) => (id == null || isId(id) ? [] : [path]));
  if (limit < 1 || limit > 101) wrong.push('limit');
  if (wrong.length > 0) throw new DomainError('INVALID_REQUEST', `This does not fit: ${wrong.join(', ')}.`);
  const shown = Object.keys(acts).filter((action) => actor.role !== null && acts[action]!.to.includes(actor.role));
  const rows = await read(
    em,
    sql`select ${COLUMNS} from audit_entry where workspace_id = ${actor.workspaceId} and action = any(${shown})
      ${before == null ? sql`` : sql`and (at, id) < (${before}::timestamptz, ${beforeId ?? NO_ID}::uuid)`}
      ${since == null ? sql`` : sql`and at >= ${since}::timestamptz`}
      ${subjectId == null ? sql`` : sql`and subject_id = ${subjectId}`}
      ${principalId == null ? sql`` : sql`and principal_id = ${principalId}`}
      order by at desc, id desc limit ${limit}`,
  );
  return rows.map(({ change, ...row }) => {
    // Reasons that staff and processes give are internal: members see only those of named actors.
    const names = acts[row.action]!.facts.filter((name) => name !== 'reason' || NAMED.has(row.actorKind));
    return { ...row, facts: fieldChanges(change, names) };
  });
}

/** No id comes before it: of that very moment nothing is shown. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** The named parts of a change as the audit trail keeps it: `{ role: { from, to } }`, `{ from: {…}, to: {…} }` or what is new. */
export function fieldChanges(change: unknown, names: readonly string[]): ActivityFact[] {
  if (!isObject(change)) return [];
  return names.flatMap((name) => {
    const [from, to] = (isStep(change) ? [part(change.from, name), part(change.to, name)] : stepOf(change[name])).map(
      textOf,
    );
    return from === to ? [] : [{ name, from: from!, to: to! }];
  });
}

const stepOf = (value: unknown): [unknown, unknown] => (isStep(value) ? [value.from, value.to] : [null, value]);

const part = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : null);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const isStep = (value: unknown): value is { from: unknown; to: unknown } =>
  isObject(value) && 'from' in value && 'to' in value;

/** Money as "12.50 EUR"; null for an absent value or an object without a text form. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (!isObject(value)) return typeof value === 'string' ? value : JSON.stringify(value);
  return 'amount' in value && 'currency' in value ? `${String(value['amount'])} ${String(value['currency'])}` : null;
}
