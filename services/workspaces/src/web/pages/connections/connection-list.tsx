import { notFound } from '@payroll/kernel';
import type { FastifyRequest } from 'fastify';
import { disableMcpClient, enableMcpClient } from '../../../commands/clients.js';
import { renewMcpConnection, revokeMcpConnection } from '../../../commands/connections.js';
import { findMcpClient, listMcpClients } from '../../../queries/list-mcp-clients.js';
import { listMcpConnections } from '../../../queries/list-mcp-connections.js';
import { Cookies } from '../../cookies.js';
import { textOf } from '../../form-values.js';
import { roomPath } from '../../layout.js';
import { leaveNotice } from '../../notice.js';
import { sendPage } from '../../send-page.js';
import { visit, visitAsAdmin, type Visit } from '../../visit.js';
import type { Routes, Web } from '../../web.js';
import { Clients, Connections } from './connection-tables.js';

const ROOM = '/workspaces/:workspaceId/connections';

/**
 * Which assistants may be connected, and which are: admins see and end all, members their own. With an issuer outside
 * there is no other place to allow again what was ended.
 */
export function connectionListPage(isIssuerOutside: boolean): Routes {
  return (web) => (app) => {
    app.get<{ Querystring: { cursor?: string } }>(ROOM, async (request, reply) => {
      const { place, membership } = await visit(web, request, 'connections');
      const { workspaceId, role } = place;
      const isAdmin = role === 'admin';
      const connections = await listMcpConnections(web.em, workspaceId, {
        memberId: isAdmin ? undefined : membership.membershipId,
        includeRevoked: isIssuerOutside,
        limit: 50,
        cursor: request.query.cursor,
      });
      const path = roomPath(workspaceId, 'connections');
      const body = (
        <>
          <Connections
            path={path}
            page={connections}
            isAdmin={isAdmin}
            me={membership.membershipId}
            mcpUrl={web.settings.mcpUrl}
          />
          {isAdmin && <Clients path={path} clients={await listMcpClients(web.em, workspaceId)} />}
        </>
      );
      return await sendPage(web, request, reply, { title: 'Connections', place, body });
    });

    for (const [name, { enter, deed }] of Object.entries(FORMS)) {
      app.post(`${ROOM}/${name}`, async (request, reply) => {
        const here = await enter(web, request, 'connections');
        leaveNotice(new Cookies(web.settings.origin), reply, await deed(web, here, request));
        return await reply.redirect(roomPath(here.place.workspaceId, 'connections'), 303);
      });
    }
    return Promise.resolve();
  };
}

/** A form of the page: who may send it, and what it does; that says what was done. */
interface ConnectionForm {
  enter: typeof visit;
  deed: (web: Web, visit: Visit, request: FastifyRequest) => Promise<string>;
}

const FORMS: Readonly<Record<string, ConnectionForm>> = {
  revoke: {
    enter: visit,
    deed: async ({ commands }, { origin }, request) => {
      const { clientName } = await commands.run(revokeMcpConnection, { id: textOf(request, 'connection') }, origin);
      return `The connection of ${clientName} is ended.`;
    },
  },
  renew: {
    enter: visit,
    deed: async ({ commands }, { origin }, request) => {
      await commands.run(renewMcpConnection, { id: textOf(request, 'connection') }, origin);
      return 'It is connected again.';
    },
  },
  enable: {
    enter: visitAsAdmin,
    deed: async ({ em, commands }, { place, origin }, request) => {
      const client = await findMcpClient(em, place.workspaceId, textOf(request, 'client'));
      if (!client) throw notFound('The application');
      await commands.run(enableMcpClient, client, origin);
      return `Members can connect ${client.name} now.`;
    },
  },
  disable: {
    enter: visitAsAdmin,
    deed: async ({ commands }, { origin }, request) => {
      const { name } = await commands.run(disableMcpClient, { id: textOf(request, 'client') }, origin);
      return `${name} is disabled, and all its connections are ended.`;
    },
  },
};
