import { ProtocolError, ProtocolErrorCode, specTypeSchemas, type McpServer } from '@modelcontextprotocol/server';
import { callerOf, mayRead } from '../caller.js';
import type { FacadeClient } from '../facade-client.js';
import { ToolError } from '../tools/tool-error.js';
import { notThere } from './rpc-errors.js';

const URI = 'service://business';
/** Parameters of lists, which always have one page. */
const PAGE = { params: specTypeSchemas.PaginatedRequestParams };

/** The workspace as something a host can attach to a conversation, for those who may read. */
export function addBusinessResource({ server }: McpServer, facade: FacadeClient): void {
  server.setRequestHandler('resources/list', PAGE, (_page, context) => ({
    resources: mayRead(context)
      ? [
          {
            uri: URI,
            name: 'business',
            title: 'The workspace',
            description: 'The employer whose data this connection reads.',
            mimeType: 'application/json',
          },
        ]
      : [],
  }));
  server.setRequestHandler('resources/templates/list', PAGE, () => ({ resourceTemplates: [] }));
  server.setRequestHandler(
    'resources/read',
    { params: specTypeSchemas.ReadResourceRequestParams },
    async ({ uri }, context) => {
      if (uri !== URI || !mayRead(context)) throw notThere(`There is no resource ${JSON.stringify(uri)}.`, { uri });
      try {
        const { assertion } = callerOf(context);
        const text = await facade.call({ operation: 'getBusiness', assertion, signal: context.mcpReq.signal });
        return { contents: [{ uri, mimeType: 'application/json', text }] };
      } catch (error) {
        const { failure } = ToolError.from(error);
        throw new ProtocolError(ProtocolErrorCode.InternalError, failure.message, failure);
      }
    },
  );
}

const NAME = 'payroll_review';

const CHECKLIST = `Review the work that is waiting for approval in this workspace. Only read; change nothing along the way.

1. Workspace: read it with get_business and say whose payroll this is.
2. Submitted work: list_timesheets with status "submitted", all pages. For milestones list_contracts, then list_milestones with status "submitted" for each contract that is active or offboarding.
3. Amounts: for each item show the worker, the contract, and the amount as the API gives it, digit for digit with its currency. Compare units × rate with the total. Point out what is unusual: a total far from earlier ones of the same contract, overlapping or very long work periods, the same period twice. Sum up by currency, never across currencies.
4. Payment dates: show when each item would be paid, and point out dates that are past or today.
5. Automatic payment: for each timesheet say whether autoPayEnabled is on (it is paid on its date with no further step) or off (someone has to start the payout). Milestones are processed immediately after approval.
6. Balances: get_balances, and compare available money with the sums. If balances cannot be read, say that they are unknown; never take them for zero.
7. Show all of this as one table, with open questions below it, and ask which items to approve or reject and why.

Decide nothing yourself. Approve or reject one item at a time, only when the person has named it, and let the person confirm each in the dialogue that follows. A confirmation of one item does not cover another. After an approval follow paymentId with get_payment: only status "completed" means that the worker has been paid.`;

/** A checklist for people who go through submitted work with an assistant; it performs no write (public-api.md §4). */
export function addPayrollReview({ server }: McpServer): void {
  const prompt = {
    name: NAME,
    title: 'Payroll review',
    description:
      'Goes through submitted work, amounts, payment dates and automatic payment before anything is approved.',
  };
  server.setRequestHandler('prompts/list', PAGE, (_page, context) => ({ prompts: mayRead(context) ? [prompt] : [] }));
  server.setRequestHandler('prompts/get', { params: specTypeSchemas.GetPromptRequestParams }, ({ name }, context) => {
    if (name !== NAME || !mayRead(context)) {
      throw notThere(`There is no prompt ${JSON.stringify(name)}.`);
    }
    const { description } = prompt;
    return { description, messages: [{ role: 'user', content: { type: 'text', text: CHECKLIST } }] };
  });
}
