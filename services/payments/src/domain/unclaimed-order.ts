import { DomainError, isId, PAYMENT_SOURCES, type PaymentSource, type PaymentStatus } from '@payroll/kernel';

/**
 * open: holds the worker's payouts · claimed: it has paid a payment here · dismissed: it paid for no work that is
 * here.
 */
export const UNCLAIMED_STATUSES = ['open', 'claimed', 'dismissed'] as const;
export type UnclaimedStatus = (typeof UNCLAIMED_STATUSES)[number];

/** The recipient of an order, as sent to the provider. */
export interface Recipient {
  workspaceId: string;
  workerId: string;
}

export function recipientText({ workspaceId, workerId }: Recipient): string {
  return `${workspaceId}/${workerId}`;
}

/** The work an order was for, from its key and recipient; null if this system cannot have made it. */
export function originOf(order: {
  idempotencyKey: string;
  recipient: string;
}): (Recipient & { kind: PaymentSource; sourceId: string }) | null {
  const [workspaceId, workerId, ...more] = order.recipient.split('/');
  const [kind, sourceId] = order.idempotencyKey.split(':');
  const known = PAYMENT_SOURCES.find((each) => each === kind);
  if (more.length > 0 || !known || !isId(workspaceId) || !isId(workerId) || !isId(sourceId)) return null;
  return { workspaceId, workerId, kind: known, sourceId };
}

/** Whether a payment may still take over the order of its own work. One that has completed did without it. */
export function mayTakeOver(status: PaymentStatus): boolean {
  return status !== 'cancelled' && status !== 'completed';
}

/** @throws DomainError `INVALID_STATE` once two people have ended it. */
export function requireOpen({ status }: { status: UnclaimedStatus }): void {
  if (status === 'open') return;
  throw new DomainError('INVALID_STATE', `The order has already been ${status}.`);
}
