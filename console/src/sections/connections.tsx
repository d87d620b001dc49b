import { notFound } from '@payroll/kernel';
import { Codes, EmptyState, type PageView, RowForm, Table, Tag, type TagLook, textOf, Time } from '@payroll/pages';
import type { VNode } from 'preact';
import type { ConsoleContext } from '../console-context.js';
import { readInstallation } from '../deployment.js';
import type { RouteTable } from '../routes.js';
import { requireMember, requireRole } from '../workspace-context.js';
import { graphql, type ResultOf, type RowOf } from '../operations.js';

const CONNECTION = 'id clientName memberId memberName scopes createdAt lastUsedAt revokedAt';

/** The services decide which of them the reader may see. */
const readConnections = graphql(`
  query connections($includeRevoked: Boolean!, $cursor: String) {
    mcpConnections(includeRevoked: $includeRevoked, cursor: $cursor) { nodes { ${CONNECTION} } nextCursor }
  }`);

type McpConnection = RowOf<typeof readConnections, 'mcpConnections'>;

const readClients = graphql('query clients { mcpClients { id name hosts status } }');

type McpClient = ResultOf<typeof readClients>['mcpClients'][number];

const revokeConnection = graphql('mutation revokeConnection($id: ID!) { revokeMcpConnection(id: $id) { clientName } }');

const renewConnection = graphql('mutation renewConnection($id: ID!) { renewMcpConnection(id: $id) { id } }');

const enableClient = graphql(
  'mutation enableClient($input: McpClientInput!) { enableMcpClient(input: $input) { id } }',
);

const disableClient = graphql('mutation disableClient($id: ID!) { disableMcpClient(id: $id) { name } }');

const SECTION = '/workspaces/:workspaceId/connections';

/** Admins see and end all connections, members their own. With an outside issuer only this page revives what was ended. */
export const connectionPages: RouteTable = {
  [`GET ${SECTION}`]: connectionList,
  [`POST ${SECTION}/revoke`]: async (ctx) => {
    const { run, path } = await requireMember(ctx);
    const { revokeMcpConnection } = await run(revokeConnection, { id: textOf(ctx, 'connection') });
    return { to: path, notice: `The connection of ${revokeMcpConnection.clientName} is ended.` };
  },
  [`POST ${SECTION}/renew`]: async (ctx) => {
    const { run, path } = await requireMember(ctx);
    await run(renewConnection, { id: textOf(ctx, 'connection') });
    return { to: path, notice: 'It is connected again.' };
  },
  [`POST ${SECTION}/enable`]: async (ctx) => {
    const { run, path } = await requireRole(ctx, ['admin']);
    const { mcpClients } = await run(readClients, {});
    const client = mcpClients.find(({ id }) => id === textOf(ctx, 'client'));
    if (!client) throw notFound('The application');
    await run(enableClient, { input: { id: client.id, name: client.name } });
    return { to: path, notice: `Members can connect ${client.name} now.` };
  },
  [`POST ${SECTION}/disable`]: async (ctx) => {
    const { run, path } = await requireRole(ctx, ['admin']);
    const { disableMcpClient } = await run(disableClient, { id: textOf(ctx, 'client') });
    return { to: path, notice: `${disableMcpClient.name} is disabled, and all its connections are ended.` };
  },
};

async function connectionList(ctx: ConsoleContext): Promise<PageView> {
  const { run, path, role, membershipId: me } = await requireMember(ctx);
  const { installation } = await run(readInstallation, {});
  const { mcpUrl, hasOutsideIssuer: includeRevoked } = installation;
  const { mcpConnections } = await run(readConnections, { includeRevoked, cursor: ctx.query('cursor') ?? null });
  const { nodes, nextCursor } = mcpConnections;
  const body = (
    <>
      <Table
        caption="Connections, newest first"
        plain={['Actions']}
        rows={nodes}
        cursor={nextCursor}
        empty={<NoConnections mcpUrl={mcpUrl} />}
        columns={{
          Assistant: ({ clientName, memberName, revokedAt }) => (
            <>
              {clientName} {revokedAt !== null && <Tag look="bad">ended</Tag>}
              <p class="hint">acts as {memberName}</p>
            </>
          ),
          Scopes: ({ scopes }) => <Codes of={scopes} />,
          Connected: ({ createdAt }) => <Time at={createdAt} />,
          'Last used': ({ lastUsedAt }) => <Time at={lastUsedAt} />,
          // Only who a connection acts for allows it again.
          Actions: (connection) =>
            (connection.revokedAt === null || connection.memberId === me) && (
              <EndOrRenew path={path} connection={connection} />
            ),
        }}
      />
      {role === 'admin' && <Clients path={path} clients={(await run(readClients, {})).mcpClients} />}
    </>
  );
  const [who, whose] = role === 'admin' ? ['members of', 'the member’s'] : ['you in', 'your'];
  const lead = `Assistants that act for ${who} this workspace, within their scopes and ${whose} role.`;
  return { title: 'Connections', lead, body };
}

function NoConnections({ mcpUrl }: { mcpUrl: string | null }): VNode {
  const title = 'No assistant is connected';
  if (mcpUrl === null) return <EmptyState title={title}>This deployment has no MCP server to connect to.</EmptyState>;
  return (
    <EmptyState title={title}>
      Give an assistant the address <code>{mcpUrl}</code>. It asks you to sign in, and then stands here.
    </EmptyState>
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

const STATUS: Readonly<Record<McpClient['status'], { look: TagLook; words: string }>> = {
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
        plain={['Actions', 'Where it is']}
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
