import type { FastifyReply, FastifyRequest } from 'fastify';
import { askForClient } from '../../commands/clients.js';
import { decideConsent } from '../../domain/connection.js';
import { findMcpClient } from '../../queries/list-mcp-clients.js';
import type { OwnMembership } from '../../queries/memberships-of-account.js';
import { textOf } from '../../web/form-values.js';
import { sendPage, type Page } from '../../web/send-page.js';
import type { Routes, Web } from '../../web/web.js';
import type { AuthorizationServer } from '../authorization-server.js';
import { INTERACTION_PATH } from '../settings.js';
import { keepChoice, membershipIn, originOf, readAsked, settledMembership, type Asked } from './asked.js';
import { AskConsent, ChooseWorkspace, NotEnabled } from './consent-views.js';
import { DENIED, finish, giveConsent } from './consent.js';
import { formTarget } from './form-target.js';

/** Where a person who is signed in decides about a client: first for which workspace, then whether. */
export function consentPages(server: AuthorizationServer): Routes {
  return (web) => (app) => {
    const here = `${INTERACTION_PATH}/:uid`;
    const read = (request: FastifyRequest, reply: FastifyReply) => readAsked(web, server, request, reply);

    app.get<{ Querystring: { choose?: unknown } }>(here, async (request, reply) => {
      const asked = await read(request, reply);
      const membership = request.query.choose === undefined ? settledMembership(asked) : null;
      const page = membership ? await consentPage(web, asked, membership) : choicePage(asked, false);
      return await sendPage(web, request, reply, page);
    });

    app.post(`${here}/workspace`, async (request, reply) => {
      const asked = await read(request, reply);
      const membership = membershipIn(asked, textOf(request, 'workspace'));
      if (!membership) return await sendPage(web, request, reply, choicePage(asked, true));
      await keepChoice(asked, membership.workspaceId);
      return await reply.redirect(asked.path, 303);
    });

    app.post(`${here}/ask`, async (request, reply) => {
      const asked = await read(request, reply);
      const membership = settledMembership(asked);
      if (!membership) return await reply.redirect(asked.path, 303);
      await web.commands.run(askForClient, asked.request.client, originOf(membership, asked.visitor, request));
      return await sendPage(web, request, reply, await consentPage(web, asked, membership));
    });

    app.post(`${here}/approve`, async (request, reply) => {
      const asked = await read(request, reply);
      const membership = settledMembership(asked);
      // What the person saw is what is done: a workspace chosen meanwhile in another window is none they saw.
      if (membership?.workspaceId !== textOf(request, 'workspace')) return await reply.redirect(asked.path, 303);
      const origin = originOf(membership, asked.visitor, request);
      const enable = textOf(request, 'enable') === 'yes';
      const result = await giveConsent(web, asked, { membership, enable, origin, resource: server.settings.mcpUrl });
      return await reply.redirect(await finish(asked.request, result, { request, reply }), 303);
    });

    app.post(`${here}/deny`, async (request, reply) => {
      const asked = await read(request, reply);
      return await reply.redirect(await finish(asked.request, DENIED, { request, reply }), 303);
    });
    return Promise.resolve();
  };
}

function choicePage(asked: Asked, isMissing: boolean): Page {
  const problems = isMissing ? [{ field: 'workspace', message: 'Choose one of your workspaces.' }] : [];
  const body = <ChooseWorkspace {...asked} problems={problems} />;
  return { title: 'Choose a workspace', problems, body, formTargets: [formTarget(asked.request.redirectUri)] };
}

async function consentPage(web: Web, asked: Asked, membership: OwnMembership): Promise<Page> {
  const { client, redirectUri } = asked.request;
  const known = await findMcpClient(web.em, membership.workspaceId, client.id);
  const decision = decideConsent(known?.status ?? null, membership.role);
  const formTargets = [formTarget(redirectUri)];
  if (decision === 'refused') {
    const body = <NotEnabled {...asked} membership={membership} isAskedFor={known?.status === 'asked'} />;
    return { status: 403, title: 'An admin has to enable this first', body, formTargets };
  }
  const body = <AskConsent {...asked} membership={membership} enables={decision === 'enables'} />;
  return { title: `Connect ${client.name}`, body, formTargets };
}
