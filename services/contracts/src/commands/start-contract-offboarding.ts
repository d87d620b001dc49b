import { type CalendarDate, INTERNAL, refuseProblems } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { day, problemsIn } from '../domain/checks.js';
import { followContract, type Contract } from '../domain/contract.js';
import { problemsOfDates } from '../domain/draft-rules.js';
import { findContract } from './find-contract.js';
import { moveContract } from './move-contract.js';

export interface StartContractOffboarding {
  id: string;
  /** The last day of the contract. */
  endDate: CalendarDate;
  /** The day it was terminated on; null where it ends as agreed. */
  terminationDate: CalendarDate | null;
}

/** The end is in sight: last work is handed in and paid, then the contract is completed. */
export const startContractOffboarding = defineCommand(
  'contract.start-offboarding',
  INTERNAL,
  async (tx, { id, endDate, terminationDate }: StartContractOffboarding): Promise<Contract> => {
    const contract = await findContract(tx, id);
    followContract(contract.status, 'start offboarding');
    const dates = { startDate: contract.startDate, endDate, terminationDate };
    refuseProblems(
      [...problemsIn(dates, { endDate: day, terminationDate: day }), ...problemsOfDates(dates)],
      'A contract does not end before it starts.',
    );
    const change = {
      endDate: { from: contract.endDate, to: endDate },
      terminationDate: { from: contract.terminationDate, to: terminationDate },
    };
    Object.assign(contract, { endDate, terminationDate });
    return await moveContract(tx, contract, 'start offboarding', change);
  },
);
