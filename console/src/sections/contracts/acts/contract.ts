import { notFound } from '@payroll/kernel';
import { Operation } from '../../../operations.js';
import type { Visit } from '../../../visit.js';

export interface Signature {
  side: 'business' | 'worker';
  signedAt: string;
  signedBy: { memberName: string } | null;
}

interface Amendment {
  number: number;
  text: string;
  digest: string;
  holdsFrom: string;
}

/** A contract as whoever acts on it sees it. */
export interface Contract {
  id: string;
  title: string;
  status: string;
  revision: number;
  contractType: string;
  startDate: string | null;
  endDate: string | null;
  deletedAt: string | null;
  worker: { id: string | null; name: string | null };
  missing: { path: string; message: string }[];
  agreement: {
    text: string;
    digest: string;
    isFixed: boolean;
    signatures: Signature[];
    amendments: Amendment[];
  };
  details: {
    terms: {
      currency: string;
      rate: string | null;
      paymentDueDays: number;
      autoPayEnabled: boolean;
      timesheetApprovalRequired: boolean;
      autoApproveAfterDays: number | null;
    };
    businessSignedAt: string | null;
    terminationDate: string | null;
    returnReason: string | null;
    cancellationReason: string | null;
  };
}

const readContract = new Operation<{ contract: Contract | null }, { id: string }>(`
  query contractToActOn($id: ID!) {
    contract(id: $id) {
      id title status revision contractType startDate endDate deletedAt worker { id name } missing { path message }
      agreement {
        text digest isFixed
        signatures { side signedAt signedBy { memberName } }
        amendments { number text digest holdsFrom }
      }
      details {
        terms { currency rate paymentDueDays autoPayEnabled timesheetApprovalRequired autoApproveAfterDays }
        businessSignedAt terminationDate returnReason cancellationReason
      }
    }
  }`);

/** The contract with this id. @throws DomainError `NOT_FOUND` */
export async function contractWith({ ask }: Visit, id: string): Promise<Contract> {
  const { contract } = await ask(readContract, { id });
  if (contract === null) throw notFound('What this address names');
  return contract;
}
