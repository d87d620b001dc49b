import { instantOf } from '@payroll/kernel';
import { Codes, EmptyState, LinkButton, type PageView, RowLink, Table, Tag, Time } from '@payroll/pages';
import type { VNode } from 'preact';
import type { ConsoleContext } from '../../console-context.js';
import { graphql, type RowOf } from '../../operations.js';
import type { RouteTable } from '../../routes.js';
import { requireRole } from '../../workspace-context.js';
import { newKeyPage, revokeKeyPage, rotateKeyPage } from './key-forms.js';

const KEY = 'id name memberId memberName scopes lastUsedAt expiresAt revokedAt';

const readKeys = graphql(`query keys($cursor: String) { apiKeys(cursor: $cursor) { nodes { ${KEY} } nextCursor } }`);

type ApiKey = RowOf<typeof readKeys, 'apiKeys'>;

export const keyPages: RouteTable = {
  'GET /workspaces/:workspaceId/keys': keyList,
  ...newKeyPage,
  ...rotateKeyPage,
  ...revokeKeyPage,
};

async function keyList(ctx: ConsoleContext): Promise<PageView> {
  const { run, path, membershipId: me } = await requireRole(ctx, ['admin']);
  const { nodes, nextCursor } = (await run(readKeys, { cursor: ctx.query('cursor') ?? null })).apiKeys;
  const now = instantOf(new Date());
  const rows = nodes.map((key) => ({ ...key, status: keyStatus(key, now) }));
  const body = (
    <>
      <LinkButton href={`${path}/new`}>Create a key</LinkButton>
      <Table
        caption="API keys, those that work first"
        plain={['Scopes', 'Actions']}
        rows={rows.toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status))}
        cursor={nextCursor}
        empty={
          <EmptyState title="No keys yet">
            Create one for each program, so that you can revoke one without stopping the others.
          </EmptyState>
        }
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

/** Only who a key acts for gets another one in its place. */
function Actions({ path, listed: { id, name, memberId }, me }: { path: string; listed: ApiKey; me: string }): VNode {
  return (
    <span class="actions">
      {memberId === me && <RowLink href={`${path}/${id}/rotate`} label="Rotate" about={name} />}
      <RowLink href={`${path}/${id}/revoke`} label="Revoke" about={name} />
    </span>
  );
}

const ORDER = ['active', 'expired', 'revoked'];

/** Whether requests with a key are let in, and if not, why. */
export function keyStatus(
  { revokedAt, expiresAt }: { revokedAt: string | null; expiresAt: string },
  now: string,
): 'active' | 'expired' | 'revoked' {
  if (revokedAt !== null) return 'revoked';
  return expiresAt > now ? 'active' : 'expired';
}
