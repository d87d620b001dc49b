import { ROLE_SCOPES, type Scope } from '@payroll/kernel';
import { Button, ChoiceGroup, DefinitionList, Form, type PageView } from '@payroll/pages';
import type { VNode } from 'preact';
import type { AccountMembership } from '../../queries/members.js';
import type { ConsentRequest } from './consent-request.js';

/** Descriptions of scopes for the person who decides. */
const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  read: 'Read the business, contracts, timesheets, milestones, payments and balances',
  'contracts:write': 'Create contract drafts',
  'timesheets:write': 'Approve and reject timesheets; approving creates a payment',
  'milestones:write': 'Approve and reject milestones; approving creates a payment, which is processed at once',
};

/** Shows the client's hosts, which cannot be faked, in addition to the name that it gives itself. */
function Client({ request: { client } }: Pick<ConsentRequest, 'request'>): VNode {
  const where = (
    <>
      {client.hosts.join(', ')}
      <p class="hint">You will return there, whatever you decide.</p>
    </>
  );
  return <DefinitionList of={{ Application: client.name, 'Where it is': where }} />;
}

export function chooseWorkspace({ request: { client }, path, memberships }: ConsentRequest): PageView {
  const choices = memberships.map(({ workspaceId, workspaceName, role }) => ({
    value: workspaceId,
    label: workspaceName,
    hint: `Your role: ${role}`,
  }));
  return {
    title: 'Choose a workspace',
    lead: (
      <>
        <strong>{client.name}</strong> wants to work in one of your workspaces. It will only see that workspace.
      </>
    ),
    body: (
      <>
        <Form action={`${path}/workspace`}>
          <ChoiceGroup name="workspace" legend="Workspace" type="radio" choices={choices} />
          <Button>Continue</Button>
        </Form>
        <Deny path={path} label="Do not connect it" />
      </>
    ),
  };
}

/** `enables`: consenting also enables the client for the whole workspace. */
export function askConsent(
  { request, path, memberships }: ConsentRequest,
  membership: AccountMembership,
  enables: boolean,
): PageView {
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
          No admin has enabled this application for {workspaceName} yet. As an admin, you enable it now: every member
          can then connect it for themselves.
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

function Permissions({ scopes, role }: { scopes: readonly Scope[]; role: AccountMembership['role'] }): VNode {
  return (
    <section aria-labelledby="permissions">
      <h2 id="permissions">What it may do</h2>
      {scopes.length === 0 && <p>None of the requested permissions: your role ({role}) does not allow them.</p>}
      <ul>
        {scopes.map((scope) => (
          <li key={scope}>{SCOPE_WORDS[scope]}</li>
        ))}
      </ul>
      {scopes.some((scope) => scope !== 'read') && <p>You will be asked to confirm each change before it is made.</p>}
      <p class="hint">
        It can never do more than you. If your role ({role}) changes, its permissions change at once. You can end the
        connection at any time on the Connections page of the workspace.
      </p>
    </section>
  );
}

/** For a member whose workspace has not enabled the client. */
export function notEnabled(
  { request, path }: ConsentRequest,
  { workspaceName }: AccountMembership,
  isAskedFor: boolean,
): PageView {
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
          It is on the admins’ page Connections. Once it is enabled, reload this page or start again in {name}.
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

/**
 * A page, since browsers apply `form-action` to each redirect after a form: those to a client, whose address may be an application's
 * own scheme, and those that the client answers with.
 */
export function backToClient(to: string): PageView {
  return { title: 'Back to the application', body: <a href={to}>Go on to the application</a>, refreshTo: to };
}

function Deny({ path, label }: { path: string; label: string }): VNode {
  return (
    <Form action={`${path}/deny`}>
      <Button look="plain">{label}</Button>
    </Form>
  );
}
