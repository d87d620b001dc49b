import { newId, type Origin } from '@payroll/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { InteractionResults } from 'oidc-provider';
import { connectAssistant } from '../../commands/connections.js';
import type { OwnMembership } from '../../queries/memberships-of-account.js';
import type { Web } from '../../web/web.js';
import type { Asked } from './asked.js';
import { saveGrant } from '../save-grant.js';
import type { AuthorizationRequest } from './authorization-request.js';

export interface Consent {
  membership: OwnMembership;
  /** Whether an admin opens the client to everybody in the workspace with it. */
  enable: boolean;
  origin: Origin;
  /** The one resource that tokens are for. */
  resource: string;
}

/**
 * Connects the client, so that the authorization can go on with a grant for what was asked.
 * @throws DomainError `INSUFFICIENT_SCOPE` when the client is not enabled in the workspace, and this does not do it.
 */
export async function giveConsent(
  web: Web,
  { request, visitor }: Asked,
  consent: Consent,
): Promise<InteractionResults> {
  const { client, apiScopes, provider, scopes } = request;
  const { membership, enable, origin, resource } = consent;
  const grantId = newId();
  const subject = visitor.account.id;
  const input = { membershipId: membership.membershipId, subject, client, scopes: apiScopes, enable, grantId };
  await web.commands.run(connectAssistant, input, origin);
  await saveGrant(provider, { grantId, accountId: subject, clientId: client.id, scopes, resource });
  const ts = Math.floor(Date.parse(visitor.authenticatedAt) / 1000);
  return { login: { accountId: subject, ts, remember: false }, consent: { grantId } };
}

export const DENIED: InteractionResults = { error: 'access_denied', error_description: 'The person said no.' };

/** Where the browser goes on, now that it is decided. */
export function finish(
  { provider }: AuthorizationRequest,
  result: InteractionResults,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<string> {
  return provider.interactionResult(request.raw, reply.raw, result, { mergeWithLastSubmission: false });
}
