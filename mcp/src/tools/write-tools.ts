import { dayOf, draftRules } from '@payroll/kernel';
import {
  type ContractDetail,
  draftBasics,
  Id,
  type Milestone,
  type OperationName,
  Rejection,
  type Timesheet,
} from '@payroll/public-api';
import { Type } from 'typebox';
import {
  draftDialogue,
  milestoneDialogue,
  timesheetDialogue,
  type Action,
  type DraftBasics,
  type Reviewed,
} from '../confirmation/dialogue.js';
import type { Review } from '../confirmation/confirmation.js';
import { ToolError } from './tool-error.js';
import { resultOf, type Tool, type ToolCall } from './tool.js';

/** Becomes the `Idempotency-Key`. */
const intentId = Type.String({
  minLength: 16,
  maxLength: 128,
  pattern: '^[A-Za-z0-9_-]+$',
  description:
    'A new random string for each new intent, such as a UUID. Send the same one again only to retry exactly the same call: it happens once.',
});
const closed = { additionalProperties: false };
const Draft = Type.Object({ ...draftBasics, intentId }, closed);
const ApprovalOfOne = Type.Object({ id: Id, intentId }, closed);
const RejectionOfOne = Type.Object({ id: Id, intentId, reason: Rejection.properties.reason }, closed);

interface Row extends Omit<Tool, 'name' | 'use'> {
  review: (call: ToolCall) => Promise<Review>;
  pageOf: (call: ToolCall) => string;
}

const onTimesheet = decisionsOn<Timesheet>('timesheet', 'getTimesheet', timesheetDialogue);
const onMilestone = decisionsOn<Milestone>('milestone', 'getMilestone', milestoneDialogue);

const REJECTED = 'and gives the worker the reason. No payment is made; the worker may submit again.';

const rows: Readonly<Record<string, Row>> = {
  create_contract_draft: {
    title: 'Create a contract draft',
    description:
      'Creates a contract draft once a person has confirmed it. People complete, review and sign it in the application: this tool neither signs nor activates it, and takes no pay terms.',
    operation: 'createContract',
    // No `read`: the dialogue shows what the model sent.
    scopes: ['contracts:write'],
    destructive: false,
    input: Draft,
    rules: draftRules,
    review: async ({ caller, arguments: given }) => ({ message: draftDialogue(caller, given as DraftBasics) }),
    pageOf: (call) => pageIn(call, 'contracts/new'),
  },
  approve_timesheet: {
    title: 'Approve a timesheet',
    description:
      'Approves a submitted timesheet once a person has confirmed it. This creates a payment and does not mean that the worker has been paid: follow paymentId with get_payment.',
    operation: 'approveTimesheet',
    ...onTimesheet('approve'),
  },
  reject_timesheet: {
    title: 'Reject a timesheet',
    description: `Rejects a submitted timesheet once a person has confirmed it, ${REJECTED}`,
    operation: 'rejectTimesheet',
    ...onTimesheet('reject'),
  },
  approve_milestone: {
    title: 'Approve a milestone',
    description:
      'Approves a submitted milestone once a person has confirmed it. This creates a payment, and processing is attempted immediately: follow paymentId with get_payment.',
    operation: 'approveMilestone',
    ...onMilestone('approve'),
  },
  reject_milestone: {
    title: 'Reject a milestone',
    description: `Rejects a submitted milestone once a person has confirmed it, ${REJECTED}`,
    operation: 'rejectMilestone',
    ...onMilestone('reject'),
  },
};

/** The five tools that write once a person has confirmed, at the version that was shown. */
export const writeTools: readonly Tool[] = Object.entries(rows).map(([name, { review, pageOf, ...row }]) => ({
  ...row,
  name,
  use: async (call) => {
    const { id, intentId: idempotencyKey, ...rest } = call.arguments as { id?: string; intentId: string };
    const tool = { name, scopes: row.scopes };
    const proposal = { tool, arguments: call.arguments, page: pageOf(call), review: () => review(call) };
    const decision = await call.confirmation(proposal);
    if (decision.kind === 'answer') return decision.result;
    const { caller, version: expectedVersion } = decision;
    const write = { body: { expectedVersion, ...rest }, idempotencyKey };
    const params = id === undefined ? {} : { id };
    const { assertion } = caller;
    return resultOf(
      await call.facade.call({ operation: row.operation, params, write, assertion, signal: call.signal }),
    );
  },
}));

function decisionsOn<Work extends Timesheet | Milestone>(
  what: 'timesheet' | 'milestone',
  operation: OperationName,
  dialogue: (reviewed: Reviewed, work: Work) => string,
) {
  // Built only from the valid id and the caller's workspace, so that a model or a title cannot inject a link.
  const pageOf = (call: ToolCall): string => pageIn(call, `review/${what}/${String(call.arguments['id'])}`);
  const review = async (action: Action, call: ToolCall): Promise<Review> => {
    const { caller, arguments: given } = call;
    const work = await read<Work>(call, operation, String(given['id']));
    const contract = await read<ContractDetail>(call, 'getContract', work.contractId);
    // The API would refuse it even if the person confirmed.
    if (work.status !== 'submitted') {
      const why = `This ${what} is ${work.status}; only submitted work can be approved or rejected.`;
      throw ToolError.of('INVALID_STATE', why);
    }
    const reason = typeof given['reason'] === 'string' ? given['reason'] : '';
    // A milestone's payment is processed at once, so its date is today's.
    const reviewed = { action, caller, contract, reason, today: dayOf(new Date()), page: pageOf(call) };
    return { message: dialogue(reviewed, work), version: work.version };
  };
  return (action: Action): Pick<Row, 'scopes' | 'destructive' | 'input' | 'review' | 'pageOf'> => ({
    scopes: ['read', `${what}s:write`],
    destructive: true,
    input: action === 'approve' ? ApprovalOfOne : RejectionOfOne,
    review: (call) => review(action, call),
    pageOf,
  });
}

function pageIn({ caller, peopleUrl }: ToolCall, path: string): string {
  return new URL(`/workspaces/${caller.workspaceId}/${path}`, peopleUrl).href;
}

/** The facade's serializer guarantees the shape. */
async function read<Resource>({ caller, facade, signal }: ToolCall, operation: OperationName, id: string) {
  const text = await facade.call({ operation, params: { id }, assertion: caller.assertion, signal });
  return JSON.parse(text) as Resource;
}
