import { notFound } from '@payroll/kernel';
import { ConfirmButtons, DefinitionList, Form, OperationId, textOf, Time } from '@payroll/pages';
import type { VNode } from 'preact';
import { graphql, type FieldOf, ONCE, SENT } from '../../operations.js';
import { formPage } from '../../routes.js';
import { operationIn, idIn, requireRole } from '../../workspace-context.js';
import type { ConsoleContext } from '../../console-context.js';

const ACCESS = 'joinedAt email invitationId invitedEmail invitedUntil';

export const readAccess = graphql(`query workerAccess($id: ID!) { workerAccess(workerId: $id) { ${ACCESS} } }`);

type Access = FieldOf<typeof readAccess, 'workerAccess'>;

const readInvited = graphql(`
  query workerToInvite($id: ID!) { worker(id: $id) { id name email } workerAccess(workerId: $id) { ${ACCESS} } }`);

const inviteWorker = graphql('mutation inviteWorker($id: ID!) { inviteWorker(workerId: $id) { invitedEmail } }');

const revokeInvitation = graphql(
  `mutation revokeWorkerInvitation($id: ID!, ${ONCE}) { revokeInvitation(id: $id, ${SENT}) { id } }`,
);

const endAccess = graphql(
  `mutation endWorkerAccess($id: ID!, ${ONCE}) { endWorkerAccess(workerId: $id, ${SENT}) { joinedAt } }`,
);

const PATH = '/workspaces/:workspaceId/workers/:id';

/** Admins invite a worker to sign in, and take that back until the worker has signed something. */
export const accessPages = {
  ...formPage(`${PATH}/invite`, {
    wording: {
      workerId: 'The worker signs in already',
      'email member': 'A member of this workspace has this address, and cannot be its worker too',
      'email worker': 'Another worker signs in here with this address',
      'email invited': 'Another person is invited here with this address. Take that invitation back first',
    },
    load: enter,
    view: ({ worker, access, back }) => ({
      title: `Invite ${worker.name}`,
      lead: `${worker.email} gets a link to choose how to sign in. It is good for a week. The worker then reads and signs contracts in person: nobody else can sign for them.`,
      body: (
        <>
          <AccessFacts of={access} address={worker.email} />
          <Form>
            <ConfirmButtons label="Mail the invitation" back={back} keep="Not now" />
          </Form>
          <p class="hint">
            Is the address wrong? <a href={`${back}/edit`}>Edit {worker.name}</a> first. A changed address ends the
            link.
          </p>
        </>
      ),
    }),
    submit: async ({ worker, run, back }) => {
      const { inviteWorker: access } = await run(inviteWorker, { id: worker.id });
      return { to: back, notice: `An invitation is on its way to ${access.invitedEmail}.` };
    },
  }),
  ...formPage(`${PATH}/end-access`, {
    wording: {},
    load: enter,
    view: ({ worker, access, back }) => ({
      title: access.joinedAt ? `End the access of ${worker.name}?` : `Withdraw the invitation of ${worker.name}?`,
      lead: access.joinedAt
        ? 'They can no longer sign in here. You can invite them again. Once a worker has signed something, only they can end their access.'
        : 'The link that was mailed no longer works. You can invite them again.',
      body: (
        <Form>
          <OperationId />
          <input type="hidden" name="invitation" value={access.joinedAt ? '' : (access.invitationId ?? '')} />
          <ConfirmButtons
            look="danger"
            label={access.joinedAt ? 'End the access' : 'Withdraw the invitation'}
            back={back}
            keep="Keep it"
          />
        </Form>
      ),
    }),
    // Decided by the form: a worker who has accepted meanwhile does not lose the access with the invitation.
    submit: async ({ worker, access, mutate, back }, ctx) => {
      const [operationId, invitation] = [operationIn(ctx), textOf(ctx, 'invitation')];
      if (invitation !== '') {
        await mutate(revokeInvitation, { id: invitation }, operationId);
        return { to: back, notice: 'The invitation is withdrawn.' };
      }
      // Another page, or the first of two clicks, may have ended it already.
      if (access.joinedAt !== null) await mutate(endAccess, { id: worker.id }, operationId);
      return { to: back, notice: `${worker.name} cannot sign in here.` };
    },
  }),
};

async function enter(ctx: ConsoleContext) {
  const { run, mutate, path } = await requireRole(ctx, ['admin']);
  await ctx.requireRecent();
  const { worker, workerAccess } = await run(readInvited, { id: idIn(ctx) });
  if (worker === null) throw notFound('What this address names');
  return { run, mutate, worker, access: workerAccess, back: `${path}/${worker.id}` };
}

interface AccessFactsProps {
  of: Access;
  /** The worker's present address. */
  address: string | undefined;
}

/** Whether the worker signs in, in words; nothing where they do not and are not invited. */
export function AccessFacts({ of: { joinedAt, email, ...invited }, address }: AccessFactsProps): VNode {
  const { invitedEmail, invitedUntil } = invited;
  return (
    <DefinitionList
      of={{
        'Signs in': joinedAt && (
          <>
            As {email}, since <Time at={joinedAt} />
          </>
        ),
        Invited: invitedUntil && (
          <>
            {invitedEmail},{' '}
            {invitedEmail === address?.toLowerCase() ? (
              <>
                until <Time at={invitedUntil} />
              </>
            ) : (
              'ended: the address has changed since'
            )}
          </>
        ),
      }}
    />
  );
}

interface AccessActsProps {
  of: Access;
  address: string;
  hasDetails: boolean;
  hasSigned: boolean;
}

/**
 * Links to enter payout details, which a worker who signs in does alone, to invite the worker, or to end that. Once they have
 * signed, only they can end their access.
 */
export function AccessActs({ of: { joinedAt, invitationId }, address, hasDetails, hasSigned }: AccessActsProps): VNode {
  const mayEnd = joinedAt === null ? invitationId !== null : !hasSigned;
  return (
    <>
      {joinedAt === null && (
        <a href={`${address}/payout-details`}>{hasDetails ? 'Change payout details' : 'Add payout details'}</a>
      )}
      {joinedAt === null && (
        <a href={`${address}/invite`}>{invitationId === null ? 'Invite to sign in' : 'Invite again'}</a>
      )}
      {mayEnd && <a href={`${address}/end-access`}>{joinedAt ? 'End the access' : 'Withdraw the invitation'}</a>}
    </>
  );
}
