import { addDays } from '@payroll/kernel';
import type { Agreement } from './agreements.js';
import { multiply, plain, sum, type Chance, type Currency } from './money.js';

/** An agreement as it is on a day of the year. */
export interface Deal extends Agreement {
  contractId: string;
  workerId: string;
  payeeId: string | null;
  payeeVersion: string | null;
  isVerified: boolean;
  rate: string;
  hasEnded: boolean;
  /** One for each deal, so that choices do not depend on the order in which deals are played. */
  chance: Chance;
}

type WorkStatus = 'pending' | 'submitted' | 'approved' | 'rejected';

export interface Work {
  deal: Deal;
  id: string;
  /** In 10⁻¹² of its currency. */
  gross: bigint;
  status: WorkStatus;
  /** Null for a milestone, which is due at once. */
  due: string | null;
  deductions: bigint[];
  /** Null while there is no payment. */
  payment: 'pending' | 'completed' | 'failed' | 'cancelled' | null;
  reason: string | null;
  /** How often a payout was ordered from the provider. */
  attempts: number;
}

export function newWork(deal: Deal, id: string, status: WorkStatus, gross: bigint, due: string | null): Work {
  return { deal, id, status, gross, due, deductions: [], payment: null, reason: null, attempts: 0 };
}

export function netOf({ gross, deductions }: Work): bigint {
  return gross - sum(deductions);
}

/** The expected results of the year, calculated from the inputs alone and never from the services' answers. */
export class Model {
  readonly works: Work[] = [];
  /** Totals exactly between two smallest units. */
  ties = 0;
  private readonly funded = new Map<Currency, bigint>();

  fund(currency: Currency, amount: bigint): void {
    this.funded.set(currency, this.fundedIn(currency) + amount);
  }

  fundedIn(currency: Currency): bigint {
    return this.funded.get(currency) ?? 0n;
  }

  reckon({ rate, currency }: Deal, units: string): bigint {
    const { value, isTie } = multiply(rate, units, currency);
    if (isTie) this.ties += 1;
    return value;
  }

  ofCurrency(currency: Currency, payment: Work['payment']): Work[] {
    return this.works.filter((work) => work.deal.currency === currency && work.payment === payment);
  }

  availableIn(currency: Currency): bigint {
    return this.fundedIn(currency) - sum(this.ofCurrency(currency, 'completed').map(netOf));
  }

  pendingIn(currency: Currency): bigint {
    return sum(this.ofCurrency(currency, 'pending').map(netOf));
  }

  /** Approves by rule and pays automatically until the end of a day. */
  pass(today: string): void {
    for (const work of this.works) if (work.status === 'submitted' && isApprovedByRule(work, today)) approveWork(work);
    for (const work of this.works) {
      if (work.payment === 'pending' && paysItself(work) && (work.due ?? '') <= today) this.pay(work);
    }
  }

  pay(work: Work): void {
    work.reason = netOf(work) === 0n ? null : this.obstacle(work);
    if (work.reason === null && netOf(work) > 0n) {
      work.attempts += 1;
      if (declines(work)) work.reason = 'provider_declined';
    }
    work.payment = work.reason === null ? 'completed' : 'failed';
  }

  private obstacle(work: Work): string | null {
    const { payeeId, isVerified, currency } = work.deal;
    if (payeeId === null) return 'payee_missing';
    if (!isVerified) return 'payee_unverified';
    return this.availableIn(currency) < netOf(work) ? 'insufficient_funds' : null;
  }
}

export function approveWork(work: Work): void {
  work.status = 'approved';
  work.payment = 'pending';
}

export function hasRule({ invoicing, hasEnded }: Deal): boolean {
  const { autoApproveAfterDays, timesheetApprovalRequired } = invoicing;
  return !hasEnded && (autoApproveAfterDays !== undefined || timesheetApprovalRequired === false);
}

/** Work is submitted on the last day of its period; the rules count from that day. */
function isApprovedByRule({ deal, due }: Work, today: string): boolean {
  const { paymentDueDays, autoApproveAfterDays = 0 } = deal.invoicing;
  return hasRule(deal) && due !== null && addDays(due, autoApproveAfterDays - paymentDueDays) <= today;
}

export function paysItself({ deal }: Work): boolean {
  return deal.invoicing.autoPayEnabled !== false;
}

function declines({ deal, attempts }: Work): boolean {
  return deal.destination === 'sandbox:declines' || (deal.destination === 'sandbox:declines-once' && attempts === 1);
}

/** A piece of work and its payment in one line, as the services should show them. */
export function lineOf(work: Work): string {
  const { deal, status, gross, due, payment, reason, attempts } = work;
  const shown = payment && due === null ? MILESTONE_STATUS[payment] : status;
  const money = payment && `${payment} ${plain(gross)} net ${plain(netOf(work))} due ${due ?? 'at once'}`;
  const paid = money && `${money} attempts ${attempts} ${reason ?? 'no reason'}`;
  return `${shown} ${plain(gross)} ${deal.currency}: ${paid ?? 'no payment'}`;
}

const MILESTONE_STATUS = { pending: 'approved', completed: 'paid', failed: 'approved', cancelled: 'approved' } as const;
