import { type PayoutChangeAnswer, PAYOUT_CHANGE_QUESTION, type PayoutChangeQuestion } from '@payroll/events';
import { Button, Form, hashSecret, isSecret, type PageView, Time } from '@payroll/pages';
import { STOP_PATHS, findPayoutStop, type PayoutStop } from '../../accounts/links.js';
import { stopPayoutChange } from '../../commands/notices.js';
import { type AccountContext, formPage } from '../account-context.js';
import { holderOrigin } from './account.js';

/** Payments takes up to 2 s to fetch the event. */
const TIMEOUT_MS = 3_000;

/**
 * The page of the mailed link that stops a change of payout details. A button, because mail programs open links. Needs no
 * sign-in, because a thief of the session may have changed the password.
 */
export const stopPayoutChangePage = formPage(`${STOP_PATHS.payout_details_changed}:secret`, {
  load: async (ctx) => {
    const secret = ctx.param('secret');
    const stop = isSecret(secret) ? await findPayoutStop(ctx.web.em, hashSecret(secret)) : null;
    return { stop, state: stop && (await stateOf(ctx, stop)) };
  },
  view: ({ stop, state }) => pageOf(stop, state),
  submit: async ({ stop, state }, ctx) => {
    if (stop === null || state === 'over' || state === 'stopped') return pageOf(stop, state);
    const { accountId, changeId } = stop;
    // One operation for all links and presses, so that a later one does not end a new password.
    const holder = holderOrigin({ id: accountId, email: stop.email }, ctx.request.id, stop.workspaceId);
    await ctx.web.commands.run(stopPayoutChange, { accountId, changeId }, holder, changeId);
    const after = await stateOf(ctx, stop);
    if (after === 'over' || after === 'stopped') return pageOf(stop, after);
    return { ...askPage(stop), status: 503, problems: [NOT_YET] };
  },
});

const NOT_YET = {
  field: null,
  message:
    'The change is not stopped yet, because a part of the service cannot be reached. You are signed out everywhere. Press the button again in a minute, until this page says that the change is stopped',
};

type State = PayoutChangeAnswer['state'];

/** Null if payments cannot be reached. */
async function stateOf({ web }: AccountContext, { workspaceId, changeId }: PayoutStop): Promise<State | null> {
  const question: PayoutChangeQuestion = { workspaceId, changeId };
  const asked = web.bus.request(PAYOUT_CHANGE_QUESTION, question, TIMEOUT_MS);
  return await asked.then(
    (answer) => (answer as PayoutChangeAnswer).state,
    () => null,
  );
}

function pageOf(stop: PayoutStop | null, state: State | null): PageView {
  if (stop === null || state === 'over') return OVER;
  return state === 'stopped' ? stoppedPage(stop) : askPage(stop);
}

function askPage({ workspaceName, until }: PayoutStop): PageView {
  return {
    title: 'Stop the change of your payout details?',
    lead: (
      <>
        The details with which {workspaceName} pays you were changed. Nothing is paid to the new ones before{' '}
        <Time at={until} />.
      </>
    ),
    body: (
      <>
        <p>If it was not you, stop the change. Then:</p>
        <ul>
          <li>{workspaceName} pays to your former details again, at once.</li>
          <li>You are signed out everywhere, and your assistants are disconnected.</li>
          <li>Your password no longer works. You set a new one with a link that we mail to you.</li>
          <li>The admins of {workspaceName} are told.</li>
        </ul>
        <p>If it was you, close this page. Opening it changes nothing.</p>
        <Form>
          <Button look="danger">Stop the change</Button>
        </Form>
      </>
    ),
  };
}

function stoppedPage({ workspaceName }: PayoutStop): PageView {
  return {
    title: 'The change is stopped',
    lead: `${workspaceName} pays to your former details again. Nothing was or will be paid to the others.`,
    body: (
      <>
        <p>
          You were signed out everywhere, and your former password no longer works. Set a new one and look at your
          payout details.
        </p>
        <p>
          <a href="/forgot-password">Set a new password</a>
        </p>
      </>
    ),
  };
}

const OVER: PageView = {
  title: 'This link is no longer open',
  status: 404,
  lead: 'The change can no longer be stopped, or the payout details were changed again.',
  body: (
    <>
      <p>
        If it was not you, set a new password, look at your payout details, and tell the business that pays you at once.
      </p>
      <p>
        <a href="/forgot-password">Set a new password</a>
      </p>
    </>
  ),
};
