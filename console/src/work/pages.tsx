import { ConfirmButtons, Form, OperationId } from '@payroll/pages';
import { graphql, ONCE, SENT } from '../operations.js';
import { formPage, type RouteTable } from '../routes.js';
import { operationIn, requireWorker } from '../workspace-context.js';
import { myAgreementPages } from './agreement.js';
import { myContractPage, myContractsPage } from './contracts.js';
import { milestonePage } from './milestone.js';
import { myTimesheetPage, sendCorrection, sendWeek, showCorrection, showWeek } from './timesheet.js';
import { myPaymentPages } from './payments.js';
import { myPayoutDetailsPages } from './payout-details.js';

const leaveAsWorker = graphql(`mutation leaveAsWorker(${ONCE}) { leaveAsWorker(${SENT}) }`);

/** A worker ends their own access. Once they have signed something, the business cannot. */
const leavePage = formPage('/work/:workspaceId/leave', {
  load: async (ctx) => {
    const visited = await requireWorker(ctx);
    await ctx.requireRecent();
    return visited;
  },
  view: ({ path, names, email }) => ({
    title: `Leave ${names.workspace}?`,
    lead: `You sign in here as ${email}. Afterwards you can no longer read your contracts here: download what you want to keep first. Contracts and payments stay as they are.`,
    body: (
      <Form>
        <OperationId />
        <ConfirmButtons look="danger" label="Leave" back={path} keep="Stay" />
      </Form>
    ),
  }),
  submit: async ({ names }, ctx) => {
    await ctx.mutate(leaveAsWorker, {}, operationIn(ctx));
    return { to: '/workspaces', notice: `You have left ${names.workspace}.` };
  },
});

const CONTRACT = '/work/:workspaceId/contracts/:id';
const TIMESHEET = '/work/:workspaceId/timesheets/:id';

/** The pages of a worker in a workspace that they work for. */
export const workPages: RouteTable = {
  'GET /work/:workspaceId': myContractsPage,
  [`GET ${CONTRACT}`]: myContractPage,
  ...myAgreementPages,
  [`GET ${CONTRACT}/timesheet`]: showWeek,
  [`POST ${CONTRACT}/timesheet`]: sendWeek,
  [`GET ${TIMESHEET}`]: myTimesheetPage,
  [`GET ${TIMESHEET}/correct`]: showCorrection,
  [`POST ${TIMESHEET}/correct`]: sendCorrection,
  ...milestonePage,
  ...myPaymentPages,
  ...myPayoutDetailsPages,
  ...leavePage,
};
