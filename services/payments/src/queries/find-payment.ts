import { isId } from '@payroll/kernel';
import type { Payment } from '../domain/payment.js';

export interface FindPayment {
  byId: (id: string) => Promise<Payment | null>;
  /** Asks review for the approval that minted this id and records it; false when there is none. */
  fetchApproval: (paymentId: string, workspaceId: string) => Promise<boolean>;
}

/**
 * One payment. An approval's answer names its payment before the event may have come here: such a read fetches the
 * event itself, so an integrator never gets a 404 for an id it was just given.
 * @throws DomainError `SERVICE_UNAVAILABLE` when the payment is not here and review cannot be asked.
 */
export async function findPayment(
  { byId, fetchApproval }: FindPayment,
  id: string,
  workspaceId: string,
): Promise<Payment | null> {
  if (!isId(id)) return null;
  const here = await byId(id);
  if (here) return here;
  return (await fetchApproval(id, workspaceId)) ? await byId(id) : null;
}
