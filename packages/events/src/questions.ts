import {
  type CalendarDate,
  type COMPENSATION_TYPES,
  type FREQUENCIES,
  isId,
  type TIMESHEET_SUBMITTERS,
} from '@payroll/kernel';

/** A question of one service to another, by request/reply. */
export interface Question<Asked, Answer> {
  /** `ask.<the service that answers>.<what>` */
  subject: string;
  /** @throws TypeError for another input: its asker gets no answer. */
  read: (body: unknown) => Asked;
  /** A type only. */
  answer?: Answer;
}

/** @throws DomainError `SERVICE_UNAVAILABLE` if the other service does not answer */
export async function ask<Asked, Answer>(
  bus: { request: (subject: string, body: unknown, timeoutMs?: number) => Promise<unknown> },
  { subject }: Question<Asked, Answer>,
  asked: Asked,
  timeoutMs?: number,
): Promise<Answer> {
  return (await bus.request(subject, asked, timeoutMs)) as Answer;
}

/** Each question goes to one process of the service. */
export function answerQuestion<Asked, Answer>(
  bus: { answer: (subject: string, queue: string, handler: (body: unknown) => Promise<unknown>) => void },
  { subject, read }: Question<Asked, Answer>,
  answerTo: (asked: Asked) => Promise<Answer>,
): void {
  bus.answer(subject, subject.split('.')[1]!, async (body) => await answerTo(read(body)));
}

type Named<Id extends string> = Record<'workspaceId' | Id, string>;

/** A question about one thing of a workspace. */
function about<Id extends string>(id: Id, subject: string) {
  const read = (body: unknown): Named<Id> => {
    const { workspaceId, [id]: other } = (body ?? {}) as Record<string, unknown>;
    if (isId(workspaceId) && isId(other)) return { workspaceId, [id]: other } as Named<Id>;
    throw new TypeError(`The question names a workspace and a ${id}, each a UUID.`);
  };
  return { subject, read };
}

export type WorkerQuestion = Named<'workerId'>;

/** Whether the workspace has a worker. There are no events about workers. */
export const WORKER_QUESTION: Question<WorkerQuestion, { isKnown: boolean }> = about(
  'workerId',
  'ask.contracts.worker',
);

/** Whether a worker signs in. */
export const WORKER_ACCESS_QUESTION: Question<WorkerQuestion, { hasAccess: boolean }> = about(
  'workerId',
  'ask.workspaces.worker-access',
);

/** Null where the workspace has no such worker. */
export type WorkerProfileAnswer = {
  name: string;
  email: string;
  /** Whether the worker has signed a contract, in person or not. */
  hasSigned: boolean;
} | null;

/** How a worker is called and reached, for their invitation. */
export const WORKER_PROFILE_QUESTION: Question<WorkerQuestion, WorkerProfileAnswer> = about(
  'workerId',
  'ask.contracts.worker-profile',
);

/** Null where the workspace has no such contract. */
export type WorkAnswer = {
  workerId: string | null;
  /** The days on which work can be done; null for open ends. */
  firstDay: CalendarDate | null;
  lastDay: CalendarDate | null;
  /** Whether work is counted in hours, which are entered by day. */
  isHourly: boolean;
  /** Null where none was agreed; missing in answers of an older process. */
  compensationType?: (typeof COMPENSATION_TYPES)[number] | null;
  /** How often a retainer is paid; missing in answers of an older process. */
  paymentFrequency?: (typeof FREQUENCIES)[number] | null;
  /** Whether its first payment is in proportion to the days; missing in answers of an older process. */
  isFirstProRata?: boolean;
  /** The side that submits timesheets; null where it was not agreed. */
  submitter: (typeof TIMESHEET_SUBMITTERS)[number] | null;
} | null;

export type WorkQuestion = Named<'contractId'>;

/** The present terms of the work under a contract. */
export const WORK_QUESTION: Question<WorkQuestion, WorkAnswer> = about('contractId', 'ask.contracts.work');

/** The nth payment belongs to the nth workspace. */
export interface PaymentsQuestion {
  workspaceIds: string[];
  paymentIds: string[];
}

/** How many of these payments do not exist. */
export const PAYMENTS_QUESTION: Question<PaymentsQuestion, { missing: number }> = {
  subject: 'ask.payments.missing',
  read: (body) => {
    const { workspaceIds, paymentIds } = (body ?? {}) as Record<string, unknown>;
    if (areIds(workspaceIds) && areIds(paymentIds) && workspaceIds.length === paymentIds.length) {
      return { workspaceIds, paymentIds };
    }
    throw new TypeError('The question names payments by the ids of their workspaces and their own.');
  },
};

function areIds(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isId);
}

export type PayoutChangeQuestion = Named<'changeId'>;

/** The state of a change of payout details; `over`: it can no longer be stopped, or there was another one since. */
export type PayoutChangeState = 'waiting' | 'stopped' | 'over';

export const PAYOUT_CHANGE_QUESTION: Question<PayoutChangeQuestion, { state: PayoutChangeState }> = about(
  'changeId',
  'ask.payments.payout-change',
);
