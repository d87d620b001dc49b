import { ConfirmButtons, Form, OperationId } from '@payroll/pages';
import { formPage } from '../routes.js';
import { operationIn, requireWorker } from '../workspace-context.js';
import { leaveAsWorker } from './operations.js';

/** A worker ends their own access. Once they have signed something, the business cannot. */
export const leavePage = formPage('/work/:workspaceId/leave', {
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
