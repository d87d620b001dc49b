import type { Page } from '@payroll/store';
import type { VNode } from 'preact';
import type { ClientStatus, McpClient, McpConnection } from '../../../domain/connection.js';
import { Button, Form } from '../../forms.js';
import { Cell, Empty, Head, Older, Tag } from '../../pieces.js';
import { Time } from '../../time.js';

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
      <p class="lead">
        {isAdmin
          ? 'Assistants that act for members of this workspace.'
          : 'Assistants that act for you in this workspace.'}
      </p>
      {page.nodes.length === 0 ? (
        <Empty title="No assistant is connected">
          <p>
            {mcpUrl === null ? (
              'This deployment has no MCP server to connect to.'
            ) : (
              <>
                Give an assistant the address <code>{mcpUrl}</code>. It asks you to sign in, and then stands here.
              </>
            )}
          </p>
        </Empty>
      ) : (
        <table>
          <caption class="hidden">Connections, newest first</caption>
          <Head columns={['Assistant', 'Connected', 'Last used', 'Actions']} />
          <tbody>
            {page.nodes.map((connection) => (
              <ConnectionRow
                key={connection.id}
                path={path}
                connection={connection}
                isOwn={connection.memberId === me}
              />
            ))}
          </tbody>
        </table>
      )}
      <Older cursor={page.nextCursor} />
    </>
  );
}

interface ConnectionRowProps {
  path: string;
  connection: McpConnection;
  isOwn: boolean;
}

function ConnectionRow({ path, connection, isOwn }: ConnectionRowProps): VNode {
  const { id, clientName, memberName, createdAt, lastUsedAt, revokedAt } = connection;
  const whose = (
    <span class="hidden">
      {' '}
      {clientName} for {memberName}
    </span>
  );
  return (
    <tr>
      <th scope="row">
        {clientName} {revokedAt !== null && <Tag look="bad">ended</Tag>}
        <p class="hint">acts as {memberName}</p>
      </th>
      <Cell label="Connected">
        <Time at={createdAt} />
      </Cell>
      <Cell label="Last used">{lastUsedAt === null ? 'Never' : <Time at={lastUsedAt} />}</Cell>
      <Cell label="Actions">
        {(revokedAt === null || isOwn) && (
          <Form action={`${path}/${revokedAt === null ? 'revoke' : 'renew'}`}>
            <input type="hidden" name="connection" value={id} />
            {revokedAt === null ? (
              <Button look="danger">End{whose}</Button>
            ) : (
              <Button look="plain">Allow again{whose}</Button>
            )}
          </Form>
        )}
      </Cell>
    </tr>
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
      <table>
        <caption class="hidden">Applications</caption>
        <Head columns={['Application', 'Where it is', 'Actions']} />
        <tbody>
          {clients.map((client) => (
            <ClientRow key={client.id} path={path} client={client} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function ClientRow({ path, client: { id, name, hosts, status } }: { path: string; client: McpClient }): VNode {
  const { look, words } = STATUS[status];
  const isEnabled = status === 'enabled';
  return (
    <tr>
      <th scope="row">
        {name} <Tag look={look}>{words}</Tag>
      </th>
      <Cell label="Where it is">{hosts.length === 0 ? id : hosts.join(', ')}</Cell>
      <Cell label="Actions">
        <Form action={`${path}/${isEnabled ? 'disable' : 'enable'}`}>
          <input type="hidden" name="client" value={id} />
          <Button look={isEnabled ? 'danger' : 'main'}>
            {isEnabled ? 'Disable' : 'Enable'}
            <span class="hidden"> {name}</span>
          </Button>
        </Form>
      </Cell>
    </tr>
  );
}
