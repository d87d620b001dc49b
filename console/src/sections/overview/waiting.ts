import type { Role } from '@payroll/kernel';
import type { ResultOf } from '../../operations.js';
import type { countContracts, countPayments, countWork } from './operations.js';

/** A pile of things that wait for somebody, and whose it is to do something about them. */
export interface Pile {
  label: string;
  /** Below the workspace. */
  path: string;
  n: number;
  /** None where it goes on by itself. */
  needs: readonly Role[];
}

const ADMINS: readonly Role[] = ['admin'];
const DRAFTERS: readonly Role[] = ['admin', 'member'];

export function pilesOfWork({ timesheets, milestones }: ResultOf<typeof countWork>): Pile[] {
  return [
    { label: 'Timesheets to review', path: 'review?kind=timesheet', n: timesheets, needs: ADMINS },
    { label: 'Milestones to review', path: 'review?kind=milestone', n: milestones, needs: ADMINS },
  ];
}

export function pilesOfContracts(found: ResultOf<typeof countContracts>): Pile[] {
  const pile = (
    label: string,
    status: string,
    { nodes }: { nodes: unknown[] },
    needs: readonly Role[] = ADMINS,
  ): Pile => {
    return { label, path: `contracts?status=${status}`, n: nodes.length, needs };
  };
  const [signed = [], toSign = []] = [true, false].map((isSigned) =>
    found.toSign.nodes.filter(({ details }) => (details.businessSignedAt !== null) === isSigned),
  );
  return [
    pile('Drafts to complete', 'draft', found.drafts, DRAFTERS),
    pile('Contracts to verify', 'pending_verification', found.toVerify),
    pile('Contracts to send for signature', 'ready_for_signature', found.toSend),
    pile('Contracts to sign', 'pending_signature', { nodes: toSign }),
    pile('Contracts for the worker to sign', 'pending_signature', { nodes: signed }, []),
    pile('Contracts to activate', 'signed', found.toActivate),
  ];
}

export function pilesOfPayments({ failed, processing }: ResultOf<typeof countPayments>): Pile[] {
  return [
    { label: 'Payments that failed', path: 'payments?status=failed', n: failed.nodes.length, needs: ADMINS },
    { label: 'Payments on their way', path: 'payments?status=processing', n: processing.nodes.length, needs: [] },
  ];
}

/** Nothing is counted beyond a hundred. */
export function capped(n: number): string {
  return n >= 100 ? '99+' : String(n);
}
