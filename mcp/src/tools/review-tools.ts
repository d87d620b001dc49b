import { dayOf } from '@payroll/kernel';
import { readMilestone, readTimesheet } from '../confirmation/reviewed-work.js';
import { milestoneDialogue, timesheetDialogue } from '../confirmation/review-dialogue.js';
import { ApprovalOfOne, RejectionOfOne } from './inputs.js';
import { ToolError } from './tool-error.js';
import { resultOf, type Tool, type ToolCall } from './tool.js';

type Row = Pick<Tool, 'name' | 'title' | 'description' | 'operation' | 'input'> & {
  scope: 'timesheets:write' | 'milestones:write';
  /** Reads what is to be decided, and words the question. */
  review: (call: ToolCall) => Promise<{ message: string; version: string }>;
};

const rows: readonly Row[] = [
  {
    name: 'approve_timesheet',
    title: 'Approve a timesheet',
    description:
      'Approves a submitted timesheet once a person has confirmed it. This creates a payment and does not mean that the worker has been paid: follow paymentId with get_payment.',
    operation: 'approveTimesheet',
    scope: 'timesheets:write',
    input: ApprovalOfOne,
    review: (call) => reviewTimesheet(call, 'approve'),
  },
  {
    name: 'reject_timesheet',
    title: 'Reject a timesheet',
    description:
      'Rejects a submitted timesheet once a person has confirmed it, and gives the worker the reason. No payment is made; the worker may submit again.',
    operation: 'rejectTimesheet',
    scope: 'timesheets:write',
    input: RejectionOfOne,
    review: (call) => reviewTimesheet(call, 'reject'),
  },
  {
    name: 'approve_milestone',
    title: 'Approve a milestone',
    description:
      'Approves a submitted milestone once a person has confirmed it. This creates a payment, and processing is attempted immediately: follow paymentId with get_payment.',
    operation: 'approveMilestone',
    scope: 'milestones:write',
    input: ApprovalOfOne,
    review: (call) => reviewMilestone(call, 'approve'),
  },
  {
    name: 'reject_milestone',
    title: 'Reject a milestone',
    description:
      'Rejects a submitted milestone once a person has confirmed it, and gives the worker the reason. No payment is made; the worker may submit again.',
    operation: 'rejectMilestone',
    scope: 'milestones:write',
    input: RejectionOfOne,
    review: (call) => reviewMilestone(call, 'reject'),
  },
];

/** The four tools that decide submitted work: what a person has seen is what is decided, by its version. */
export const reviewTools: readonly Tool[] = rows.map(({ scope, review, ...row }) => ({
  ...row,
  scopes: ['read', scope],
  hints: { readOnly: false, destructive: true },
  run: async (call) => {
    const { id, intentId, ...rest } = call.arguments as { id: string; intentId: string; reason?: string };
    const decision = await call.confirmation.decide({
      tool: { name: row.name, scopes: ['read', scope] },
      arguments: call.arguments,
      review: () => review(call),
    });
    if (decision.kind === 'answer') return decision.result;
    const { caller, version } = decision;
    const write = { body: { expectedVersion: version, ...rest }, idempotencyKey: intentId };
    const { assertion } = caller;
    const { operation } = row;
    return resultOf(await call.facade.call({ operation, params: { id }, write, assertion, signal: call.signal }));
  },
}));

async function reviewTimesheet(call: ToolCall, action: 'approve' | 'reject') {
  const { timesheet, contract } = await readTimesheet(call, idOf(call));
  requireSubmitted('timesheet', timesheet.status);
  const message = timesheetDialogue({ ...shownOf(call, action), timesheet, contract });
  return { message, version: timesheet.version };
}

async function reviewMilestone(call: ToolCall, action: 'approve' | 'reject') {
  const { milestone, contract } = await readMilestone(call, idOf(call));
  requireSubmitted('milestone', milestone.status);
  const message = milestoneDialogue({ ...shownOf(call, action), milestone, contract });
  return { message, version: milestone.version };
}

/** Nobody is asked to confirm what the API would refuse. */
function requireSubmitted(what: string, status: string): void {
  if (status !== 'submitted') {
    throw ToolError.of('INVALID_STATE', `This ${what} is ${status}; only submitted work can be approved or rejected.`);
  }
}

function idOf({ arguments: { id } }: ToolCall): string {
  return String(id);
}

/** What a dialogue shows beside the work. A payment that is processed at once is of the day on which somebody is asked. */
function shownOf({ caller, arguments: { reason } }: ToolCall, action: 'approve' | 'reject') {
  return { action, caller, today: dayOf(new Date()), reason: typeof reason === 'string' ? reason : '' };
}
