import { newId, type Origin } from '@payroll/kernel';
import { type Answer, type Page, textOf } from '@payroll/pages';
import type { InteractionResults } from 'oidc-provider';
import { askForClient } from '../../commands/clients.js';
import { connectAssistant } from '../../commands/connections.js';
import { decideConsent } from '../../domain/connection.js';
import { findMcpClient } from '../../queries/connections.js';
import type { OwnMembership } from '../../queries/members.js';
import type { OwnExchange } from '../../web/exchange.js';
import { answering } from '../../web/routes.js';
import type { Routes } from '../../web/web.js';
import type { SignedIn } from '../../accounts/sessions.js';
import { personIn, requireFactorOfAdmins } from '../../domain/member.js';
import type { AuthorizationServer } from '../authorization-server.js';
import { saveGrant } from '../grants.js';
import { INTERACTION_PATH } from '../settings.js';
import { keepChoice, membershipIn, readAsked, settledMembership, type Asked } from './asked.js';
import { askConsent, chooseWorkspace, notEnabled } from './consent-views.js';

const DENIED: InteractionResults = { error: 'access_denied', error_description: 'The person declined.' };

/** The pages on which a signed-in person decides about a client: first the workspace, then the consent. */
export function consentPages(server: AuthorizationServer): Routes {
  const here = `${INTERACTION_PATH}/:uid` as const;
  return answering({
    [`GET ${here}`]: async (at) => {
      const asked = await readAsked(server, at);
      const membership = at.query('choose') === undefined ? settledMembership(asked) : null;
      return membership ? await consentPage(at, asked, membership) : choicePage(asked);
    },

    [`POST ${here}/workspace`]: async (at) => {
      const asked = await readAsked(server, at);
      const membership = membershipIn(asked, textOf(at, 'workspace'));
      if (!membership) {
        return { ...choicePage(asked), problems: [{ field: 'workspace', message: 'Choose one of your workspaces.' }] };
      }
      await keepChoice(asked, membership.workspaceId);
      return { to: asked.path };
    },

    [`POST ${here}/ask`]: async (at) => {
      const asked = await readAsked(server, at);
      const membership = settledMembership(asked);
      if (!membership) return { to: asked.path };
      await at.web.commands.run(askForClient, asked.request.client, originOf(membership, asked.visitor, at));
      return await consentPage(at, asked, membership);
    },

    [`POST ${here}/approve`]: async (at) => {
      const asked = await readAsked(server, at);
      const membership = settledMembership(asked);
      // If another workspace was chosen in another window, the person has not seen it: show the page again.
      if (membership?.workspaceId !== textOf(at, 'workspace')) return { to: asked.path };
      return await finish(at, asked, await giveConsent(at, asked, membership, server.settings.mcpUrl));
    },

    [`POST ${here}/deny`]: async (at) => await finish(at, await readAsked(server, at), DENIED),
  });
}

function choicePage(asked: Asked): Page {
  return { ...chooseWorkspace(asked), formTargets: formTargets(asked) };
}

async function consentPage(at: OwnExchange, asked: Asked, membership: OwnMembership): Promise<Page> {
  const known = await findMcpClient(at.web.em, membership.workspaceId, asked.request.client.id);
  const decision = decideConsent(known?.status ?? null, membership.role);
  if (decision !== 'refused') await at.requireRecent();
  const page =
    decision === 'refused'
      ? notEnabled(asked, membership, known?.status === 'asked')
      : askConsent(asked, membership, decision === 'enables');
  return { ...page, formTargets: formTargets(asked) };
}

/**
 * Browsers apply `form-action` to the redirect to the client too. Native applications have a scheme but no origin.
 */
function formTargets({ request: { redirectUri } }: Asked): string[] {
  const { protocol, origin } = new URL(redirectUri);
  return [protocol === 'https:' || protocol === 'http:' ? origin : protocol];
}

/**
 * @throws DomainError `INSUFFICIENT_SCOPE` when the client is not enabled in the workspace and this consent does not
 * enable it.
 */
async function giveConsent(at: OwnExchange, { request, visitor }: Asked, membership: OwnMembership, resource: string) {
  const { client, apiScopes, provider, scopes } = request;
  const [grantId, accountId] = [newId(), visitor.account.id];
  const consent = {
    ...{ membershipId: membership.membershipId, subject: accountId, client, scopes: apiScopes, grantId },
    // An admin also enables the client for the whole workspace.
    enable: textOf(at, 'enable') === 'yes',
  };
  await at.web.commands.run(connectAssistant, consent, originOf(membership, visitor, at));
  await saveGrant(provider, { grantId, accountId, clientId: client.id, scopes, resource });
  const ts = Math.floor(Date.parse(visitor.authenticatedAt) / 1000);
  return { login: { accountId, ts, remember: false }, consent: { grantId } };
}

/** Stores the decision and redirects the browser to the client. */
async function finish({ request, reply }: OwnExchange, asked: Asked, result: InteractionResults): Promise<Answer> {
  const { provider } = asked.request;
  const to = await provider.interactionResult(request.raw, reply.raw, result, { mergeWithLastSubmission: false });
  return { to };
}

/** The origin of a signed-in person in one of their workspaces. @throws DomainError `INSUFFICIENT_SCOPE` for an admin without a required second factor */
function originOf(membership: OwnMembership, signedIn: SignedIn, { request }: OwnExchange): Origin {
  requireFactorOfAdmins(membership);
  return {
    actor: personIn(membership, { ...signedIn, email: signedIn.account.email }),
    via: 'web',
    requestId: request.id,
  };
}
