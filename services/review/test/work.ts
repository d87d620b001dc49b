import { submitTimesheet } from '../src/commands/submit-timesheet.js';
import type { Review } from './review.js';
import type { Workspace } from './workspace.js';

export interface Work {
  contract: string;
  timesheet: string;
  milestone: string;
}

export async function workOf(review: Review, at: Workspace): Promise<Work> {
  const contract = await at.contract();
  const [milestone] = await at.milestonesAgreed(contract);
  const work = { contractId: contract, periodStart: '2027-03-01', periodEnd: '2027-03-07', unitsWorked: '10' };
  const { id } = await review.commands.run(submitTimesheet, work, at.application);
  return { contract, timesheet: id, milestone: milestone! };
}
