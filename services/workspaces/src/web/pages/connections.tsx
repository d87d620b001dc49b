import { Empty } from '../pieces.js';
import { sendPage } from '../send-page.js';
import { visit } from '../visit.js';
import type { Routes } from '../web.js';

/** The assistants that act in the workspace. */
export const connectionsPage: Routes = (web) => (app) => {
  app.get('/workspaces/:workspaceId/connections', async (request, reply) => {
    const { place } = await visit(web, request, 'connections');
    const body = (
      <Empty title="No assistant is connected">
        <p>An assistant that is given the address of the MCP server asks its user to sign in, and then stands here.</p>
      </Empty>
    );
    return await sendPage(web, request, reply, { title: 'Connections', place, body });
  });
  return Promise.resolve();
};
