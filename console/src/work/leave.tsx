import { Decision, Form, OperationId } from '@payroll/pages';
import { formPage } from '../routes.js';
import { operationIn } from '../sent.js';
import { leaveAsWorker } from './operations.js';
import { workVisit } from './visit.js';

/** A worker ends their own access. Once they have signed something, the business cannot. */
export const leavePage = formPage('/work/:workspaceId/leave', {
  enter: async (at) => {
    const visited = await workVisit(at);
    await at.requireRecent();
    return visited;
  },
  view: ({ path, names, email }) => ({
    title: `Leave ${names.workspace}?`,
    lead: `You sign in here as ${email}. Afterwards you can no longer read your contracts here: download what you want to keep first. Contracts and payments stay as they are.`,
    body: (
      <Form>
        <OperationId />
        <Decision look="danger" label="Leave" back={path} keep="Stay" />
      </Form>
    ),
  }),
  send: async ({ names }, at) => {
    await at.tell(leaveAsWorker, {}, operationIn(at));
    return { to: '/workspaces', notice: `You have left ${names.workspace}.` };
  },
});
