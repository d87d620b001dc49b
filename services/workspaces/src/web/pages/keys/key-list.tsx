import type { VNode } from 'preact';
import { instantOf, type Instant } from '@payroll/kernel';
import { keyStatus } from '../../../domain/api-key.js';
import { listApiKeys, type ListedApiKey } from '../../../queries/list-api-keys.js';
import { roomPath } from '../../layout.js';
import { Cell, Empty, Head, LinkButton, Older, Tag } from '../../pieces.js';
import { sendPage } from '../../send-page.js';
import { Time } from '../../time.js';
import { visitAsAdmin } from '../../visit.js';
import type { Routes } from '../../web.js';

export const keyListPage: Routes = (web) => (app) => {
  app.get<{ Querystring: { cursor?: string } }>('/workspaces/:workspaceId/keys', async (request, reply) => {
    const { place, membership } = await visitAsAdmin(web, request, 'keys');
    const { cursor } = request.query;
    const page = await listApiKeys(web.em, place.workspaceId, { limit: 50, cursor });
    const path = roomPath(place.workspaceId, 'keys');
    const body = (
      <>
        <p class="lead">
          A key lets a program use the API as you, within the scopes you choose and until a day you set.
        </p>
        <LinkButton href={`${path}/new`}>Create a key</LinkButton>
        {page.nodes.length === 0 ? (
          <Empty title="No keys yet">
            <p>Create one for each program, so that you can revoke one without stopping the others.</p>
          </Empty>
        ) : (
          <KeyTable keys={page.nodes} path={path} me={membership.membershipId} now={instantOf(new Date())} />
        )}
        <Older cursor={page.nextCursor} />
      </>
    );
    return await sendPage(web, request, reply, { title: 'API keys', place, body });
  });
  return Promise.resolve();
};

interface KeyTableProps {
  keys: readonly ListedApiKey[];
  path: string;
  /** Only who a key acts for gets another one in its place. */
  me: string;
  now: Instant;
}

function KeyTable({ keys, path, me, now }: KeyTableProps): VNode {
  return (
    <table>
      <caption class="hidden">API keys, newest first</caption>
      <Head columns={['Name', 'Scopes', 'Last used', 'Expires', 'Actions']} />
      <tbody>
        {keys.map((key) => (
          <KeyRow key={key.id} apiKey={key} path={path} isOwn={key.memberId === me} status={keyStatus(key, now)} />
        ))}
      </tbody>
    </table>
  );
}

interface KeyRowProps {
  apiKey: ListedApiKey;
  path: string;
  isOwn: boolean;
  status: ReturnType<typeof keyStatus>;
}

function KeyRow({ apiKey, path, isOwn, status }: KeyRowProps): VNode {
  const { id, name, memberName, scopes, lastUsedAt, expiresAt } = apiKey;
  return (
    <tr>
      <th scope="row">
        {name} <Tag look={status === 'active' ? 'good' : 'bad'}>{status}</Tag>
        <p class="hint">acts as {memberName}</p>
      </th>
      <Cell label="Scopes">
        {scopes.map((scope) => (
          <code key={scope}>{scope} </code>
        ))}
      </Cell>
      <Cell label="Last used">{lastUsedAt === null ? 'Never' : <Time at={lastUsedAt} />}</Cell>
      <Cell label="Expires">
        <Time at={expiresAt} />
      </Cell>
      {status === 'revoked' ? (
        <td />
      ) : (
        <Cell label="Actions">
          <span class="actions">
            {isOwn && (
              <a href={`${path}/${id}/rotate`}>
                Rotate<span class="hidden"> {name}</span>
              </a>
            )}
            <a href={`${path}/${id}/revoke`}>
              Revoke<span class="hidden"> {name}</span>
            </a>
          </span>
        </Cell>
      )}
    </tr>
  );
}
