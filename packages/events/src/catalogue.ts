import {
  CONTRACT_STATUSES,
  CONTRACT_TYPES,
  EMPLOYMENT_TYPES,
  isCalendarDate,
  isDecimal,
  isId,
  isInstant,
  KYB_STATUSES,
  PAYMENT_SOURCES,
  type PaymentStatus,
  type ServiceName,
} from '@payroll/kernel';
import { Type, type TSchema } from 'typebox';

export interface EventDefinition {
  publisher: ServiceName;
  /** Those that must confirm it before the publisher stops offering it. */
  consumers: readonly ServiceName[];
  /** Ids, dates, amounts and states; never personal text. Open to further fields, so that a publisher may be newer. */
  body: TSchema;
  /** The publisher's answers do not wait for its consumers, not even in the release in which it is new. */
  isAwaited?: false;
  /** Not published yet: in a rolling release an older consumer would only hold it (`test/released.test.ts`). */
  heardOnly?: true;
}

// The rules are the kernel's own: an event is read as strictly as it was written.
const id = Type.Refine(Type.String(), isId, () => 'must be an id');
const instant = Type.Refine(Type.String(), isInstant, () => 'must be a UTC timestamp');
const calendarDate = Type.Refine(Type.String(), isCalendarDate, () => 'must be a day');
const decimal = Type.Refine(Type.String(), isDecimal, () => 'must be a decimal');
const currency = Type.String({ pattern: '^[A-Z]{3,4}$' });
const money = Type.Object({ amount: decimal, currency });
/** Grows with every change of what an event is about. A consumer ignores lower ones, so events may overtake each other. */
const revision = Type.Integer({ minimum: 0 });
const days = Type.Integer({ minimum: 0 });
const orNull = <Shape extends TSchema>(shape: Shape) => Type.Union([shape, Type.Null()]);

/** The envelope of every event, shaped as `DomainEvent`. */
export const envelope = Type.Object({
  id,
  workspaceId: id,
  aboutId: id,
  occurredAt: instant,
  requestId: Type.String(),
});

/** Every event there is: routes, types and checks follow from it. */
export const catalogue = {
  /** The business of a workspace changed: how far its verification is decides over payouts, its name stands in contracts. */
  'business.changed': {
    publisher: 'workspaces',
    consumers: ['contracts', 'payments'],
    body: Type.Object({
      businessId: id,
      revision,
      kybStatus: Type.Enum(KYB_STATUSES),
      name: Type.String(),
      country: Type.String(),
    }),
  },

  /**
   * Something of a contract that review or payments keep changed: its whole state, so that the newest one is enough. Not of a
   * draft before it is first submitted for verification (ADR 22).
   */
  'contract.changed': {
    publisher: 'contracts',
    consumers: ['review', 'payments'],
    body: Type.Object({
      contractId: id,
      revision,
      status: Type.Enum(CONTRACT_STATUSES),
      employmentType: Type.Enum(EMPLOYMENT_TYPES),
      contractType: Type.Enum(CONTRACT_TYPES),
      workerId: orNull(id),
      currency,
      rate: orNull(decimal),
      paymentDueDays: days,
      autoPayEnabled: Type.Boolean(),
      autoApproveAfterDays: orNull(days),
      timesheetApprovalRequired: Type.Boolean(),
      deleted: Type.Boolean(),
    }),
  },

  /** The milestones of a draft, which review takes over. Their titles and descriptions describe work, not persons. */
  'contract.milestones-agreed': {
    publisher: 'contracts',
    consumers: ['review'],
    body: Type.Object({
      contractId: id,
      milestones: Type.Array(
        Type.Object({
          milestoneId: id,
          title: Type.String(),
          description: orNull(Type.String()),
          amount: money,
          dueDate: orNull(calendarDate),
          sortOrder: revision,
        }),
      ),
      /** How often each milestone was agreed again, by id. */
      agreements: Type.Optional(Type.Record(Type.String(), revision)),
    }),
  },

  /** A person or a rule approved a timesheet. The terms are frozen here: later changes of the contract do not touch it. */
  'timesheet.approved': {
    publisher: 'review',
    consumers: ['payments'],
    body: Type.Object({
      timesheetId: id,
      contractId: id,
      /** Follows from the work: the approval's answer names the payment before payments has heard of it. */
      paymentId: id,
      revision,
      total: money,
      periodStart: calendarDate,
      periodEnd: calendarDate,
      paymentScheduledDate: calendarDate,
      autoPayEnabled: Type.Boolean(),
    }),
  },

  /** A person approved a milestone: its payment is processed at once. `paymentId` as in `timesheet.approved`. */
  'milestone.approved': {
    publisher: 'review',
    consumers: ['payments'],
    body: Type.Object({ milestoneId: id, contractId: id, paymentId: id, revision, amount: money }),
  },

  /** Our staff ended a worker's access: details of theirs that were entered with it are verified again before money goes there. */
  'worker-access.ended': {
    publisher: 'workspaces',
    consumers: ['payments'],
    isAwaited: false,
    body: Type.Object({ accessId: id, workerId: id }),
  },

  'payment.retried': paymentEvent('pending'),
  'payment.processing': paymentEvent('processing'),
  'payment.completed': paymentEvent('completed'),
  'payment.failed': paymentEvent('failed'),
  'payment.cancelled': paymentEvent('cancelled'),

  'notice.contract': notice('contracts', ['contract_to_sign', 'contract_ended', 'changes_asked']),
  'notice.work': notice('review', ['work_waiting', 'work_sent_back']),
  'notice.payment': notice('payments', ['paid', 'payout_details_needed', 'payment_failed', 'payout_change_stopped']),

  /** Verified payout details were changed. The worker is mailed a link that stops it, until then by their calendar. */
  'notice.payout-change': {
    publisher: 'payments',
    consumers: ['workspaces'],
    isAwaited: false,
    body: Type.Object({ changeId: id, workerId: id, until: instant }),
  },

  /** The worker used that link. Pages ask payments whether the change is stopped (`PAYOUT_CHANGE_QUESTION`). */
  'payout-change.stopped': {
    publisher: 'workspaces',
    consumers: ['payments'],
    isAwaited: false,
    body: Type.Object({ changeId: id }),
  },
} as const satisfies Record<string, EventDefinition>;

/** The new status of a payment, for review, which owns the work it pays for. */
function paymentEvent<const Status extends PaymentStatus>(status: Status) {
  return {
    publisher: 'payments',
    consumers: ['review'],
    body: Type.Object({
      paymentId: id,
      sourceType: Type.Enum(PAYMENT_SOURCES),
      sourceId: id,
      /** Counts the events of this payment; review ignores lower ones than it has seen. */
      sequence: revision,
      status: Type.Literal(status),
    }),
  } as const;
}

/** News that workspaces mails to the worker or to the admins, which follows from the kind (ADR 19). */
function notice<const Publisher extends ServiceName, const Kind extends string>(
  publisher: Publisher,
  kinds: readonly Kind[],
) {
  return {
    publisher,
    consumers: ['workspaces'],
    isAwaited: false,
    body: Type.Object({ kind: Type.Enum(kinds), aboutId: id, workerId: orNull(id) }),
  } as const;
}
