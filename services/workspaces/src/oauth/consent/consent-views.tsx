import { ROLE_SCOPES, type Scope } from '@payroll/kernel';
import { Button, Choices, Facts, Form, type Page } from '@payroll/pages';
import type { VNode } from 'preact';
import type { OwnMembership } from '../../queries/members.js';
import type { Asked } from './asked.js';

/** What a scope lets a client do, for the person who is asked. */
const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  read: 'Read the business, contracts, timesheets, milestones, payments and balances',
  'contracts:write': 'Create contract drafts',
  'timesheets:write': 'Approve and reject timesheets; approving creates a payment',
  'milestones:write': 'Approve and reject milestones; approving creates a payment, which is processed at once',
};

/** Who asks, in terms that cannot be pretended: where it lives, and not only what it calls itself. */
function Client({ request: { client } }: Pick<Asked, 'request'>): VNode {
  const where = (
    <>
      {client.hosts.join(', ')}
      <p class="hint">You go back there, whatever you decide.</p>
    </>
  );
  return <Facts of={{ Application: client.name, 'Where it is': where }} />;
}

export function chooseWorkspace({ request: { client }, path, memberships }: Asked): Page {
  const choices = memberships.map(({ workspaceId, workspaceName, role }) => ({
    value: workspaceId,
    label: workspaceName,
    hint: `Your role: ${role}`,
  }));
  return {
    title: 'Choose a workspace',
    lead: (
      <>
        <strong>{client.name}</strong> wants to work in one of your workspaces. It will see that one only.
      </>
    ),
    body: (
      <>
        <Form action={`${path}/workspace`}>
          <Choices name="workspace" legend="Workspace" type="radio" choices={choices} />
          <Button>Continue</Button>
        </Form>
        <Deny path={path} label="Do not connect it" />
      </>
    ),
  };
}

/** Where the client is enabled, or saying yes also opens it to everybody in the workspace. */
export function askConsent({ request, path, memberships }: Asked, membership: OwnMembership, enables: boolean): Page {
  const { workspaceName, workspaceId, role } = membership;
  const { name } = request.client;
  const lead = (
    <>
      <strong>{name}</strong> wants to act for you in <strong>{workspaceName}</strong>.
    </>
  );
  const body = (
    <>
      <Client request={request} />
      <Permissions scopes={request.apiScopes.filter((scope) => ROLE_SCOPES[role].includes(scope))} role={role} />
      {enables && (
        <p class="notice">
          No admin has enabled this application for {workspaceName} yet. As an admin you do it now: from then on every
          member may connect it for themselves.
        </p>
      )}
      <div class="actions">
        <Form action={`${path}/approve`}>
          <input type="hidden" name="workspace" value={workspaceId} />
          <input type="hidden" name="enable" value={enables ? 'yes' : 'no'} />
          <Button>{enables ? `Enable it for ${workspaceName} and connect` : 'Connect'}</Button>
        </Form>
        <Deny path={path} label="Do not connect it" />
      </div>
      {memberships.length > 1 && (
        <p>
          <a href={`${path}?choose=again`}>Choose another workspace</a>
        </p>
      )}
    </>
  );
  return { title: `Connect ${name}`, lead, body };
}

function Permissions({ scopes, role }: { scopes: readonly Scope[]; role: OwnMembership['role'] }): VNode {
  return (
    <section aria-labelledby="permissions">
      <h2 id="permissions">What it may do</h2>
      {scopes.length === 0 && <p>Nothing of what it asks for: your role ({role}) does not allow it.</p>}
      <ul>
        {scopes.map((scope) => (
          <li key={scope}>{SCOPE_WORDS[scope]}</li>
        ))}
      </ul>
      {scopes.some((scope) => scope !== 'read') && (
        <p>You are asked to confirm every single change before it happens.</p>
      )}
      <p class="hint">
        It may never do more than you. When your role ({role}) changes, what it may do changes at once. You can end the
        connection at any time on the page Connections of the workspace.
      </p>
    </section>
  );
}

/** For members whose workspace has not enabled the client. */
export function notEnabled({ request, path }: Asked, { workspaceName }: OwnMembership, isAskedFor: boolean): Page {
  const { name } = request.client;
  const lead = (
    <>
      No admin of <strong>{workspaceName}</strong> has enabled <strong>{name}</strong>, so you cannot connect it.
    </>
  );
  const body = (
    <>
      <Client request={request} />
      {isAskedFor ? (
        <p role="status">
          It is on the admins’ page Connections. Once one of them has enabled it, reload this page or start again in{' '}
          {name}.
        </p>
      ) : (
        <Form action={`${path}/ask`}>
          <Button>Ask the admins to enable it</Button>
        </Form>
      )}
      <Deny path={path} label={`Go back to ${name}`} />
    </>
  );
  return { status: 403, title: 'An admin has to enable this first', lead, body };
}

function Deny({ path, label }: { path: string; label: string }): VNode {
  return (
    <Form action={`${path}/deny`}>
      <Button look="plain">{label}</Button>
    </Form>
  );
}
