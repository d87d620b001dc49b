import { derivedId, type Origin } from '@payroll/kernel';
import { type PageResponse, type PageView, textOf } from '@payroll/pages';
import type { InteractionResults } from 'oidc-provider';
import { requestClient, connectAssistant } from '../../commands/connections.js';
import { decideConsent } from '../../domain/connection.js';
import { findMcpClient } from '../../queries/credentials.js';
import type { AccountMembership } from '../../queries/members.js';
import { type AccountContext, answering, type RoutePlugin } from '../../web/account-context.js';
import type { SignedInSession } from '../../accounts/sessions.js';
import { personIn, requireFactorOfAdmins } from '../../domain/member.js';
import type { AuthorizationServer } from '../authorization-server.js';
import { saveGrant } from '../state.js';
import { INTERACTION_PATH } from '../settings.js';
import {
  keepChoice,
  membershipIn,
  readConsentRequest,
  chosenMembership,
  type ConsentRequest,
  type Decision,
  wayAfter,
} from './consent-request.js';
import { askConsent, backToClient, chooseWorkspace, notEnabled } from './consent-views.js';

const DENIED: InteractionResults = { error: 'access_denied', error_description: 'The person declined.' };

/** The pages on which a signed-in person decides about a client: first the workspace, then the consent. */
export function consentPages(server: AuthorizationServer): RoutePlugin {
  const here = `${INTERACTION_PATH}/:uid` as const;
  return answering({
    [`GET ${here}`]: async (ctx) => {
      const asked = await readConsentRequest(server, ctx);
      const membership = ctx.query('choose') === undefined ? chosenMembership(asked) : null;
      return membership ? await consentPage(ctx, asked, membership) : chooseWorkspace(asked);
    },

    [`POST ${here}/workspace`]: async (ctx) => {
      const asked = await readConsentRequest(server, ctx);
      const membership = membershipIn(asked, textOf(ctx, 'workspace'));
      if (!membership) {
        const problems = [{ field: 'workspace', message: 'Choose one of your workspaces.' }];
        return { ...chooseWorkspace(asked), problems };
      }
      await keepChoice(asked, membership.workspaceId);
      return { to: asked.path };
    },

    [`POST ${here}/ask`]: async (ctx) => {
      const asked = await readConsentRequest(server, ctx);
      const membership = chosenMembership(asked);
      if (!membership) return { to: asked.path };
      await ctx.web.commands.run(requestClient, asked.request.client, originOf(membership, asked.visitor, ctx));
      return await consentPage(ctx, asked, membership);
    },

    [`POST ${here}/approve`]: async (ctx) =>
      await decide(server, ctx, 'consent', async (asked) => {
        const membership = chosenMembership(asked);
        // If another workspace was chosen in another window, the person has not seen it: show the page again.
        if (membership?.workspaceId !== textOf(ctx, 'workspace')) return { to: asked.path };
        return await finish(ctx, asked, await giveConsent(ctx, asked, membership, server.settings.mcpUrl));
      }),

    [`POST ${here}/deny`]: async (ctx) =>
      await decide(server, ctx, 'error', async (asked) => await finish(ctx, asked, DENIED)),
  });
}

/** The second of two clicks finds the decision made, and goes on with it. */
async function decide(
  server: AuthorizationServer,
  ctx: AccountContext,
  decision: Decision,
  work: (asked: ConsentRequest) => Promise<PageResponse>,
): Promise<PageResponse> {
  try {
    return await work(await readConsentRequest(server, ctx));
  } catch (error) {
    const to = await wayAfter(server, ctx, decision);
    if (to === null) throw error;
    return backToClient(to);
  }
}

async function consentPage(
  ctx: AccountContext,
  asked: ConsentRequest,
  membership: AccountMembership,
): Promise<PageView> {
  const known = await findMcpClient(ctx.web.em, membership.workspaceId, asked.request.client.id);
  const decision = decideConsent(known?.status ?? null, membership.role);
  if (decision !== 'refused') await ctx.requireRecent();
  return decision === 'refused'
    ? notEnabled(asked, membership, known?.status === 'asked')
    : askConsent(asked, membership, decision === 'enables');
}

/**
 * @throws DomainError `INSUFFICIENT_SCOPE` when the client is not enabled in the workspace and this consent does not
 * enable it.
 */
async function giveConsent(
  ctx: AccountContext,
  { request, visitor }: ConsentRequest,
  membership: AccountMembership,
  resource: string,
) {
  const { client, apiScopes, provider, scopes, interaction } = request;
  const accountId = visitor.account.id;
  // The same for both clicks of a double click, so that they make one connection.
  const grantId = derivedId('consent', interaction.uid, membership.membershipId);
  const consent = {
    membershipId: membership.membershipId,
    subject: accountId,
    client,
    scopes: apiScopes,
    grantId,
    // An admin also enables the client for the whole workspace.
    enable: textOf(ctx, 'enable') === 'yes',
  };
  await ctx.web.commands.run(connectAssistant, consent, {
    ...originOf(membership, visitor, ctx),
    operationId: grantId,
  });
  await saveGrant(provider, { grantId, accountId, clientId: client.id, scopes, resource });
  const ts = Math.floor(Date.parse(visitor.authenticatedAt) / 1000);
  return { login: { accountId, ts, remember: false }, consent: { grantId } };
}

/** Stores the decision and returns the browser to the client. */
async function finish(
  { request, reply }: AccountContext,
  asked: ConsentRequest,
  result: InteractionResults,
): Promise<PageResponse> {
  const { provider } = asked.request;
  const to = await provider.interactionResult(request.raw, reply.raw, result, { mergeWithLastSubmission: false });
  return backToClient(to);
}

/** The origin of a signed-in person in one of their workspaces. @throws DomainError `INSUFFICIENT_SCOPE` for an admin without a required second factor */
function originOf(membership: AccountMembership, signedIn: SignedInSession, { request }: AccountContext): Origin {
  requireFactorOfAdmins(membership);
  return {
    actor: personIn(membership, { ...signedIn, email: signedIn.account.email }),
    via: 'web',
    requestId: request.id,
  };
}
