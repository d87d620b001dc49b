import type { ContractDetail, Milestone, OperationName, Timesheet } from '@payroll/public-api';
import type { ToolCall } from '../tools/tool.js';

type Reading = Pick<ToolCall, 'caller' | 'facade' | 'signal'>;

/** A timesheet and the contract it belongs to, as the API gives them to this caller. */
export async function readTimesheet(call: Reading, id: string) {
  const timesheet = await read<Timesheet>(call, 'getTimesheet', id);
  return { timesheet, contract: await read<ContractDetail>(call, 'getContract', timesheet.contractId) };
}

export async function readMilestone(call: Reading, id: string) {
  const milestone = await read<Milestone>(call, 'getMilestone', id);
  return { milestone, contract: await read<ContractDetail>(call, 'getContract', milestone.contractId) };
}

/** The facade's own serializer has made the body of this shape. */
async function read<Resource>({ caller, facade, signal }: Reading, operation: OperationName, id: string) {
  const { body } = await facade.call({ operation, params: { id }, assertion: caller.assertion, signal });
  return body as Resource;
}
