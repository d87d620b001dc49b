import type { Page } from '@payroll/store';
import type { VNode } from 'preact';
import type { ClientStatus } from '../../domain/connection.js';
import type { McpClient, McpConnection } from '../../store/views.js';
import { Button, Form } from '../forms.js';
import { Empty, Older, Table, Tag, Time } from '../pieces.js';

interface ConnectionsProps {
  path: string;
  page: Page<McpConnection>;
  isAdmin: boolean;
  /** Only who a connection acts for allows it again. */
  me: string;
  mcpUrl: string | null;
}

export function Connections({ path, page, isAdmin, me, mcpUrl }: ConnectionsProps): VNode {
  return (
    <>
      <p class="lead">Assistants that act for {isAdmin ? 'members of' : 'you in'} this workspace.</p>
      {page.nodes.length === 0 ? (
        <NoConnections mcpUrl={mcpUrl} />
      ) : (
        <Table
          caption="Connections, newest first"
          rows={page.nodes}
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
      )}
      <Older cursor={page.nextCursor} />
    </>
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

export function Clients({ path, clients }: { path: string; clients: readonly McpClient[] }): VNode | null {
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
