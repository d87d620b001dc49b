import { notFound } from '@payroll/kernel';
import { disableMcpClient, enableMcpClient } from '../../commands/clients.js';
import { renewMcpConnection, revokeMcpConnection } from '../../commands/connections.js';
import { findMcpClient, listMcpClients, listMcpConnections } from '../../queries/connections.js';
import type { Answer, Exchange, Page } from '../exchange.js';
import { answering } from '../routes.js';
import { textOf } from '../sent-form.js';
import { visit, visitAsAdmin } from '../visit.js';
import type { Routes } from '../web.js';
import { Clients, Connections } from './connection-tables.js';

const ROOM = '/workspaces/:workspaceId/connections';

/**
 * Which assistants may be connected, and which are: admins see and end all, members their own. With an issuer outside
 * there is no other place to allow again what was ended.
 */
export function connectionPages(isIssuerOutside: boolean): Routes {
  return answering({
    [`GET ${ROOM}`]: (at) => connectionList(at, isIssuerOutside),
    [`POST ${ROOM}/revoke`]: revokeConnection,
    [`POST ${ROOM}/renew`]: renewConnection,
    [`POST ${ROOM}/enable`]: enableClient,
    [`POST ${ROOM}/disable`]: disableClient,
  });
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
      <Connections path={path} page={connections} isAdmin={isAdmin} me={membership.membershipId} mcpUrl={mcpUrl} />
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
