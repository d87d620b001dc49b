import type { FieldOf, ResultOf } from '../operations.js';
import { canSign } from '../work/contracts.js';
import { periodText } from '../words.js';
import type { readContractsToDo, readOwed, readWorkToDo } from './operations.js';

/** The next thing for a worker to do, and its page below their employer's. */
export interface Step {
  label: string;
  path: string;
}

export type ContractToDo = FieldOf<typeof readContractsToDo, 'myContracts'>[number];

export function stepsOfContract(contract: ContractToDo): Step[] {
  const { id, title, openAmendment } = contract;
  const path = `contracts/${id}`;
  return [
    ...(canSign(contract) ? [{ label: `Read and sign: ${title}`, path: `${path}/sign` }] : []),
    ...(openAmendment === null
      ? []
      : [{ label: `Read and sign new terms: ${title}`, path: `${path}/amendments/${openAmendment}/sign` }]),
  ];
}

const OPEN_FOR_WORK: ReadonlySet<string> = new Set(['active', 'offboarding']);

export function isOpenForWork({ status }: Pick<ContractToDo, 'status'>): boolean {
  return OPEN_FOR_WORK.has(status);
}

/** The steps of work under a contract that is open for it: first what was sent back. */
export function stepsOfWork({ id, title }: ContractToDo, work: ResultOf<typeof readWorkToDo>): Step[] {
  const { myWorkTerms, myTimesheets, myMilestones } = work;
  const milestones = (status: string, label: string): Step[] =>
    myMilestones
      .filter((each) => each.status === status)
      .map((each) => ({ label: `${label}: ${each.title}`, path: `milestones/${each.id}` }));
  return [
    ...myTimesheets
      .filter(({ status }) => status === 'rejected')
      .map((each) => ({
        label: `Correct the timesheet of ${periodText(each.periodStart, each.periodEnd)}`,
        path: `timesheets/${each.id}/correct`,
      })),
    ...milestones('rejected', 'Correct the milestone'),
    ...milestones('pending', 'Submit the milestone once it is done'),
    ...(myWorkTerms?.maySubmit ? [{ label: `Submit a timesheet: ${title}`, path: `contracts/${id}/timesheet` }] : []),
  ];
}

/** Payout details are needed from the first contract on. */
export function stepsOfMoney({ myPayee, myPayments }: ResultOf<typeof readOwed>, hasContracts: boolean): Step[] {
  const path = 'payout-details';
  if (myPayee === null) return hasContracts ? [{ label: 'Enter your payout details', path }] : [];
  if (myPayee.verificationStatus === 'rejected') return [{ label: 'Enter other payout details', path }];
  const isDeclined = myPayments.nodes.some(({ obstacle }) => obstacle === 'provider_declined');
  return isDeclined ? [{ label: 'Check your payout details', path }] : [];
}
