import type { EntityManager } from '@mikro-orm/postgresql';
import type { EventBody, EventOf, EventType } from '@payroll/events';
import {
  instantOf,
  newId,
  ROLE_SCOPES,
  SCOPES,
  type Origin,
  type PersonActor,
  type Role,
  type PaymentStatus,
  type StaffActor,
  type WorkerActor,
} from '@payroll/kernel';
import type { Command, Commands } from '@payroll/commands';
import { readGeneration } from '@payroll/store';
import { sql } from 'kysely';
import { applyAgreedMilestones, applyContractChange, applyPaymentStatus } from '../src/commands/apply-events.js';

export type Terms = EventBody<'contract.changed'>;
type Agreed = EventBody<'contract.milestones-agreed'>['milestones'][number];

/** A workspace of its own for one test, which supplies the events of its contracts and payments. */
/** The identity of an actor, apart from its rights. */
type Who =
  | Pick<StaffActor, 'kind' | 'team' | 'person'>
  | Pick<PersonActor, 'kind' | 'person' | 'sessionId' | 'hasRecentPassword'>
  | Pick<WorkerActor, 'kind' | 'person' | 'sessionId' | 'hasRecentPassword' | 'workerId'>
  | { kind: 'api_key' | 'service' };

export class Workspace {
  readonly staff: Origin;
  /** The application's own back end, where members approve. */
  readonly application: Origin;
  readonly admin: Origin;
  readonly member: Origin;
  readonly viewer: Origin;
  /** Signed in to the application, one per role. */
  readonly people: Readonly<Record<Role, Origin>>;

  constructor(
    private readonly em: EntityManager,
    private readonly commands: Commands,
    readonly id = newId(),
  ) {
    this.staff = this.origin({ kind: 'staff', team: 'operations', person: 'olga@example.com' });
    this.application = this.origin({ kind: 'service' });
    this.admin = this.origin({ kind: 'api_key' }, 'admin');
    this.member = this.origin({ kind: 'api_key' }, 'member');
    this.viewer = this.origin({ kind: 'api_key' }, 'viewer');
    const person = (role: Role): Origin =>
      this.origin({ kind: 'person', person: 'ada@example.com', sessionId: newId(), hasRecentPassword: false }, role);
    this.people = { admin: person('admin'), member: person('member'), viewer: person('viewer') };
  }

  /** An active contract with usual terms, unless `terms` says otherwise. */
  async contract(terms: Partial<Terms> = {}): Promise<string> {
    const contractId = newId();
    await this.termsChanged({ contractId, ...terms });
    return contractId;
  }

  terms(terms: Partial<Terms> & { contractId: string }): EventOf<'contract.changed'> {
    const usual: Omit<Terms, 'contractId'> = {
      revision: 1,
      status: 'active',
      employmentType: 'contractor',
      contractType: 'contractor_payg',
      workerId: null,
      currency: 'EUR',
      rate: '50.00',
      paymentDueDays: 14,
      autoPayEnabled: true,
      timesheetApprovalRequired: true,
      autoApproveAfterDays: null,
      deleted: false,
    };
    return this.event('contract.changed', terms.contractId, { ...usual, ...terms });
  }

  async termsChanged(terms: Partial<Terms> & { contractId: string }): Promise<void> {
    await this.hear(applyContractChange, this.terms(terms));
  }

  agreed(contractId: string, milestones: readonly Partial<Agreed>[]): EventOf<'contract.milestones-agreed'> {
    const usual = (sortOrder: number): Agreed => ({
      milestoneId: newId(),
      title: 'First draft',
      description: null,
      amount: { amount: '1500.00', currency: 'EUR' },
      dueDate: null,
      sortOrder,
    });
    const body = { contractId, milestones: milestones.map((each, index) => ({ ...usual(index), ...each })) };
    return this.event('contract.milestones-agreed', contractId, body);
  }

  /** @returns the ids of the milestones. */
  async milestonesAgreed(contractId: string, milestones: readonly Partial<Agreed>[] = [{}]): Promise<string[]> {
    const event = this.agreed(contractId, milestones);
    await this.hear(applyAgreedMilestones, event);
    return event.body.milestones.map(({ milestoneId }) => milestoneId);
  }

  payment(
    source: { sourceType: 'timesheet' | 'milestone'; sourceId: string; paymentId: string },
    status: PaymentStatus,
    sequence: number,
  ): EventOf<Extract<EventType, `payment.${string}`>> {
    const type = status === 'pending' ? 'payment.retried' : (`payment.${status}` as const);
    return this.event(type, source.paymentId, { ...source, status, sequence } as never);
  }

  /** Applies one payment event; the same event may be applied again. */
  async paymentTold(event: EventOf<Extract<EventType, `payment.${string}`>>): Promise<void> {
    await this.hear(applyPaymentStatus, event);
  }

  async rows<Row = Record<string, unknown>>(table: string): Promise<Row[]> {
    const { rows } = await sql<Row>`
      select * from ${sql.ref(table)} where workspace_id = ${this.id}`.execute(this.em.getKysely());
    return rows;
  }

  /** The events of the workspace without its notices, which are for people. */
  async eventsForPayments(): Promise<Record<string, unknown>[]> {
    const events = await this.rows<{ type: string }>('outbox_event');
    return events.filter(({ type }) => !type.startsWith('notice.'));
  }

  /** Audit actions, oldest first. */
  async audit(): Promise<AuditRow[]> {
    const rows = await this.rows<AuditRow>('audit_entry');
    return rows.toSorted((a, b) => (a.at < b.at || (a.at === b.at && a.id < b.id) ? -1 : 1));
  }

  /** Applies an event of the current database generation, or of the one given. */
  async hear<Input>(
    command: Command<Input, unknown>,
    event: EventOf<EventType> & { body: Input },
    generation?: string,
  ): Promise<'applied' | 'replayed'> {
    return await this.commands.apply(command, { ...event, generation: generation ?? (await readGeneration(this.em)) });
  }

  private event<T extends EventType>(type: T, aboutId: string, body: EventBody<T>): EventOf<T> {
    const occurredAt = instantOf(new Date());
    return { id: newId(), type, workspaceId: this.id, aboutId, occurredAt, requestId: 'req_event', body };
  }

  /** A worker, signed in to the application. */
  worker(workerId: string): Origin {
    const session = { person: 'wanda@example.com', sessionId: newId(), hasRecentPassword: true };
    const { actor, ...request } = this.origin({ kind: 'worker', workerId, ...session });
    return { actor: { ...actor, scopes: [] }, ...request };
  }

  private origin(who: Who, role: Role | null = null): Origin {
    const scopes = role === null ? SCOPES : ROLE_SCOPES[role];
    const actor = { ...who, principalId: newId(), workspaceId: this.id, role, scopes };
    return { actor, via: 'graphql', requestId: `req_${role ?? who.kind}` };
  }
}

export interface AuditRow {
  id: string;
  at: string;
  actor_kind: string;
  via: string;
  request_id: string;
  action: string;
  subject_id: string;
  change: Record<string, unknown>;
}
