import { notFound } from '@payroll/kernel';
import { Empty, type Page, RowForm, Table, Tag, type TagLook, textOf, Time } from '@payroll/pages';
import type { VNode } from 'preact';
import { disableMcpClient, enableMcpClient } from '../../commands/clients.js';
import { renewMcpConnection, revokeMcpConnection } from '../../commands/connections.js';
import type { ClientStatus } from '../../domain/connection.js';
import { findMcpClient, listMcpClients, listMcpConnections } from '../../queries/connections.js';
import type { McpClient, McpConnection } from '../../store/views.js';
import type { OwnExchange } from '../exchange.js';
import type { RouteTable } from '../routes.js';
import { visit, visitAsAdmin } from '../visit.js';

const ROOM = '/workspaces/:workspaceId/connections';

/** Admins see and end all connections, members their own. With an outside issuer only this page revives what was ended. */
export function connectionPages(isIssuerOutside: boolean): RouteTable {
  return {
    [`GET ${ROOM}`]: (at) => connectionList(at, isIssuerOutside),
    [`POST ${ROOM}/revoke`]: async (at) => {
      const { run, path } = await visit(at, 'connections');
      const { clientName } = await run(revokeMcpConnection, { id: textOf(at, 'connection') });
      return { to: path, notice: `The connection of ${clientName} is ended.` };
    },
    [`POST ${ROOM}/renew`]: async (at) => {
      const { run, path } = await visit(at, 'connections');
      await run(renewMcpConnection, { id: textOf(at, 'connection') });
      return { to: path, notice: 'It is connected again.' };
    },
    [`POST ${ROOM}/enable`]: async (at) => {
      const { run, path, em, workspaceId } = await visitAsAdmin(at, 'connections');
      const client = await findMcpClient(em, workspaceId, textOf(at, 'client'));
      if (!client) throw notFound('The application');
      await run(enableMcpClient, client);
      return { to: path, notice: `Members can connect ${client.name} now.` };
    },
    [`POST ${ROOM}/disable`]: async (at) => {
      const { run, path } = await visitAsAdmin(at, 'connections');
      const { name } = await run(disableMcpClient, { id: textOf(at, 'client') });
      return { to: path, notice: `${name} is disabled, and all its connections are ended.` };
    },
  };
}

async function connectionList(at: OwnExchange, includeRevoked: boolean): Promise<Page> {
  const { em, workspaceId, path, membership } = await visit(at, 'connections');
  const { membershipId: me, role } = membership;
  const memberId = role === 'admin' ? undefined : me;
  const page = { memberId, includeRevoked, limit: 50, cursor: at.query('cursor') };
  const { nodes, nextCursor } = await listMcpConnections(em, workspaceId, page);
  const body = (
    <>
      <Table
        caption="Connections, newest first"
        rows={nodes}
        cursor={nextCursor}
        empty={<NoConnections mcpUrl={at.web.settings.mcpUrl} />}
        columns={{
          Assistant: ({ clientName, memberName, revokedAt }) => (
            <>
              {clientName} {revokedAt !== null && <Tag look="bad">ended</Tag>}
              <p class="hint">acts as {memberName}</p>
            </>
          ),
          Connected: ({ createdAt }) => <Time at={createdAt} />,
          'Last used': ({ lastUsedAt }) => <Time at={lastUsedAt} />,
          // Only who a connection acts for allows it again.
          Actions: (connection) =>
            (connection.revokedAt === null || connection.memberId === me) && (
              <EndOrRenew path={path} connection={connection} />
            ),
        }}
      />
      {role === 'admin' && <Clients path={path} clients={await listMcpClients(em, workspaceId)} />}
    </>
  );
  const lead = `Assistants that act for ${role === 'admin' ? 'members of' : 'you in'} this workspace.`;
  return { title: 'Connections', lead, body };
}

function NoConnections({ mcpUrl }: { mcpUrl: string | null }): VNode {
  const title = 'No assistant is connected';
  if (mcpUrl === null) return <Empty title={title}>This deployment has no MCP server to connect to.</Empty>;
  return (
    <Empty title={title}>
      Give an assistant the address <code>{mcpUrl}</code>. It asks you to sign in, and then stands here.
    </Empty>
  );
}

function EndOrRenew({ path, connection }: { path: string; connection: McpConnection }): VNode {
  const { id, clientName, memberName, revokedAt } = connection;
  const form = { name: 'connection', value: id, about: `${clientName} for ${memberName}` };
  return revokedAt === null ? (
    <RowForm action={`${path}/revoke`} look="danger" label="End" {...form} />
  ) : (
    <RowForm action={`${path}/renew`} look="plain" label="Allow again" {...form} />
  );
}

const STATUS: Readonly<Record<ClientStatus, { look: TagLook; words: string }>> = {
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
  const form = { name: 'client', value: id, about: name };
  return status === 'enabled' ? (
    <RowForm action={`${path}/disable`} look="danger" label="Disable" {...form} />
  ) : (
    <RowForm action={`${path}/enable`} look="main" label="Enable" {...form} />
  );
}
