import { instantOf } from '@payroll/kernel';
import { Codes, Decision, Empty, Form, LinkButton, type Page, RowLink, Table, Tag, Time } from '@payroll/pages';
import type { VNode } from 'preact';
import { revokeApiKey } from '../../commands/api-keys.js';
import { keyStatus } from '../../domain/api-key.js';
import { findApiKey, listApiKeys, type ListedApiKey } from '../../queries/credentials.js';
import type { OwnExchange } from '../exchange.js';
import { formPage, type RouteTable } from '../routes.js';
import { visitAsAdmin } from '../visit.js';
import { newKey, rotateKey } from './new-key.js';

const revokeKey = formPage('/workspaces/:workspaceId/keys/:id/revoke', {
  enter: async (at) => {
    const visit = await visitAsAdmin(at, 'keys');
    return { ...visit, key: await findApiKey(visit.em, visit.workspaceId, at.param('id')) };
  },
  view: ({ path, key }) => ({
    title: `Revoke ${key.name}?`,
    lead: 'Programs that use this key are refused from their next request on. This cannot be undone.',
    body: (
      <>
        <p>
          Last used: <Time at={key.lastUsedAt} never="never" />
        </p>
        <Form>
          <Decision look="danger" label="Revoke the key" back={path} keep="Keep it" />
        </Form>
      </>
    ),
  }),
  send: async ({ run, path, key }) => {
    await run(revokeApiKey, { id: key.id });
    return { to: path, notice: `The key ${key.name} is revoked.` };
  },
});

async function keyList(at: OwnExchange): Promise<Page> {
  const { em, workspaceId, path, membership } = await visitAsAdmin(at, 'keys');
  const { nodes, nextCursor } = await listApiKeys(em, workspaceId, { limit: 50, cursor: at.query('cursor') });
  const [now, me] = [instantOf(new Date()), membership.membershipId];
  const body = (
    <>
      <LinkButton href={`${path}/new`}>Create a key</LinkButton>
      <Table
        caption="API keys, newest first"
        rows={nodes.map((key) => ({ ...key, status: keyStatus(key, now) }))}
        cursor={nextCursor}
        empty={<NoKeys />}
        columns={{
          Name: ({ name, status, memberName }) => (
            <>
              {name} <Tag look={status === 'active' ? 'good' : 'bad'}>{status}</Tag>
              <p class="hint">acts as {memberName}</p>
            </>
          ),
          Scopes: ({ scopes }) => <Codes of={scopes} />,
          'Last used': ({ lastUsedAt }) => <Time at={lastUsedAt} />,
          Expires: ({ expiresAt }) => <Time at={expiresAt} />,
          Actions: (key) => (key.status === 'revoked' ? null : <Actions path={path} listed={key} me={me} />),
        }}
      />
    </>
  );
  const lead = 'A key lets a program use the API as you, within the scopes you choose and until a day you set.';
  return { title: 'API keys', lead, body };
}

function NoKeys(): VNode {
  return (
    <Empty title="No keys yet">
      Create one for each program, so that you can revoke one without stopping the others.
    </Empty>
  );
}

/** Only who a key acts for gets another one in its place. */
function Actions({
  path,
  listed: { id, name, memberId },
  me,
}: {
  path: string;
  listed: ListedApiKey;
  me: string;
}): VNode {
  return (
    <span class="actions">
      {memberId === me && <RowLink href={`${path}/${id}/rotate`} label="Rotate" about={name} />}
      <RowLink href={`${path}/${id}/revoke`} label="Revoke" about={name} />
    </span>
  );
}

export const keyPages: RouteTable = {
  'GET /workspaces/:workspaceId/keys': keyList,
  ...newKey,
  ...rotateKey,
  ...revokeKey,
};
