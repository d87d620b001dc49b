import { notFound } from '@payroll/kernel';
import type { Page as List } from '@payroll/store';
import type { VNode } from 'preact';
import { disableMcpClient, enableMcpClient } from '../../commands/clients.js';
import { renewMcpConnection, revokeMcpConnection } from '../../commands/connections.js';
import type { ClientStatus } from '../../domain/connection.js';
import { findMcpClient, listMcpClients, listMcpConnections } from '../../queries/connections.js';
import type { McpClient, McpConnection } from '../../store/views.js';
import type { Answer, Exchange, Page } from '../exchange.js';
import { Button, Form } from '../forms.js';
import { Empty, Table, Tag, Time } from '../pieces.js';
import type { RouteTable } from '../routes.js';
import { textOf } from '../sent-form.js';
import { visit, visitAsAdmin } from '../visit.js';

const ROOM = '/workspaces/:workspaceId/connections';

/**
 * Which assistants may be connected, and which are: admins see and end all, members their own. With an issuer outside
 * there is no other place to allow again what was ended.
 */
export function connectionPages(isIssuerOutside: boolean): RouteTable {
  return {
    [`GET ${ROOM}`]: (at) => connectionList(at, isIssuerOutside),
    [`POST ${ROOM}/revoke`]: revokeConnection,
    [`POST ${ROOM}/renew`]: renewConnection,
    [`POST ${ROOM}/enable`]: enableClient,
    [`POST ${ROOM}/disable`]: disableClient,
  };
}

async function connectionList(at: Exchange, includeRevoked: boolean): Promise<Page> {
  const { em, workspaceId, place, path, membership } = await visit(at, 'connections');
  const isAdmin = membership.role === 'admin';
  const connections = await listMcpConnections(em, workspaceId, {
    memberId: isAdmin ? undefined : membership.membershipId,
    includeRevoked,
    limit: 50,
    cursor: at.query('cursor'),
  });
  const { mcpUrl } = at.web.settings;
  const body = (
    <>
      <p class="lead">Assistants that act for {isAdmin ? 'members of' : 'you in'} this workspace.</p>
      <ConnectionTable path={path} page={connections} me={membership.membershipId} mcpUrl={mcpUrl} />
      {isAdmin && <Clients path={path} clients={await listMcpClients(em, workspaceId)} />}
    </>
  );
  return { title: 'Connections', place, body };
}

async function revokeConnection(at: Exchange): Promise<Answer> {
  const { run, path } = await visit(at, 'connections');
  const { clientName } = await run(revokeMcpConnection, { id: textOf(at, 'connection') });
  return { to: path, notice: `The connection of ${clientName} is ended.` };
}

async function renewConnection(at: Exchange): Promise<Answer> {
  const { run, path } = await visit(at, 'connections');
  await run(renewMcpConnection, { id: textOf(at, 'connection') });
  return { to: path, notice: 'It is connected again.' };
}

async function enableClient(at: Exchange): Promise<Answer> {
  const { run, path, em, workspaceId } = await visitAsAdmin(at, 'connections');
  const client = await findMcpClient(em, workspaceId, textOf(at, 'client'));
  if (!client) throw notFound('The application');
  await run(enableMcpClient, client);
  return { to: path, notice: `Members can connect ${client.name} now.` };
}

async function disableClient(at: Exchange): Promise<Answer> {
  const { run, path } = await visitAsAdmin(at, 'connections');
  const { name } = await run(disableMcpClient, { id: textOf(at, 'client') });
  return { to: path, notice: `${name} is disabled, and all its connections are ended.` };
}

interface ConnectionTableProps {
  path: string;
  page: List<McpConnection>;
  /** Only who a connection acts for allows it again. */
  me: string;
  mcpUrl: string | null;
}

function ConnectionTable({ path, page, me, mcpUrl }: ConnectionTableProps): VNode {
  return (
    <Table
      caption="Connections, newest first"
      rows={page.nodes}
      cursor={page.nextCursor}
      empty={<NoConnections mcpUrl={mcpUrl} />}
      columns={{
        Assistant: ({ clientName, memberName, revokedAt }) => (
          <>
            {clientName} {revokedAt !== null && <Tag look="bad">ended</Tag>}
            <p class="hint">acts as {memberName}</p>
          </>
        ),
        Connected: ({ createdAt }) => <Time at={createdAt} />,
        'Last used': ({ lastUsedAt }) => <Time at={lastUsedAt} />,
        Actions: (connection) =>
          (connection.revokedAt === null || connection.memberId === me) && (
            <EndOrRenew path={path} connection={connection} />
          ),
      }}
    />
  );
}

function NoConnections({ mcpUrl }: { mcpUrl: string | null }): VNode {
  return (
    <Empty title="No assistant is connected">
      {mcpUrl === null ? (
        <p>This deployment has no MCP server to connect to.</p>
      ) : (
        <p>
          Give an assistant the address <code>{mcpUrl}</code>. It asks you to sign in, and then stands here.
        </p>
      )}
    </Empty>
  );
}

function EndOrRenew({ path, connection }: { path: string; connection: McpConnection }): VNode {
  const { id, clientName, memberName, revokedAt } = connection;
  const isLive = revokedAt === null;
  return (
    <Form action={`${path}/${isLive ? 'revoke' : 'renew'}`}>
      <input type="hidden" name="connection" value={id} />
      <Button look={isLive ? 'danger' : 'plain'}>
        {isLive ? 'End' : 'Allow again'}
        <span class="hidden">
          {' '}
          {clientName} for {memberName}
        </span>
      </Button>
    </Form>
  );
}

const STATUS: Readonly<Record<ClientStatus, { look: 'good' | 'bad' | 'plain'; words: string }>> = {
  enabled: { look: 'good', words: 'enabled' },
  asked: { look: 'plain', words: 'asked for' },
  disabled: { look: 'bad', words: 'disabled' },
};

function Clients({ path, clients }: { path: string; clients: readonly McpClient[] }): VNode | null {
  if (clients.length === 0) return null;
  return (
    <section aria-labelledby="applications">
      <h2 id="applications">Applications</h2>
      <p>
        Members connect those that are enabled, each for themselves. Disabling one ends all its connections at once.
      </p>
      <Table
        caption="Applications"
        rows={clients}
        columns={{
          Application: ({ name, status }) => (
            <>
              {name} <Tag look={STATUS[status].look}>{STATUS[status].words}</Tag>
            </>
          ),
          'Where it is': ({ id, hosts }) => (hosts.length === 0 ? id : hosts.join(', ')),
          Actions: (client) => <EnableOrDisable path={path} client={client} />,
        }}
      />
    </section>
  );
}

function EnableOrDisable({ path, client: { id, name, status } }: { path: string; client: McpClient }): VNode {
  const isEnabled = status === 'enabled';
  return (
    <Form action={`${path}/${isEnabled ? 'disable' : 'enable'}`}>
      <input type="hidden" name="client" value={id} />
      <Button look={isEnabled ? 'danger' : 'main'}>
        {isEnabled ? 'Disable' : 'Enable'}
        <span class="hidden"> {name}</span>
      </Button>
    </Form>
  );
}
