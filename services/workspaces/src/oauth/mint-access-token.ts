import { newId, SCOPES, systemOrigin } from '@payroll/kernel';
import type { CommandRunner } from '@payroll/store';
import { connectAssistant } from '../commands/connections.js';
import { IDENTITY_SCOPES } from '../domain/connection.js';
import type { SignedUpMember } from '../queries/members.js';
import type { AuthorizationServer } from './authorization-server.js';
import { saveGrant } from './save-grant.js';

export interface AccessTokenOrder extends SignedUpMember {
  workspaceId: string;
  clientName: string;
  lifetimeS: number;
}

/**
 * A sign-in without a browser: the member is connected as by consent, and the token is like any other but for its time.
 * The client is known to this workspace alone: nobody can send people to sign in to it.
 * @throws DomainError `INSUFFICIENT_SCOPE` for a member whose client no admin has enabled.
 */
export async function mintAccessToken(
  server: AuthorizationServer,
  commands: CommandRunner,
  { workspaceId, membershipId, accountId, clientName, lifetimeS }: AccessTokenOrder,
): Promise<string> {
  const clientId = `operator:${clientName}`;
  const grantId = newId();
  const consent = {
    ...{ membershipId, subject: accountId, grantId, scopes: SCOPES },
    client: { id: clientId, name: clientName, hosts: ['an operator of this service'] },
    enable: true,
  };
  await commands.run(connectAssistant, consent, systemOrigin(workspaceId, 'runner', newId()));
  const grant = { accountId, clientId, grantId, scopes: IDENTITY_SCOPES, resource: server.settings.mcpUrl };
  await saveGrant(await server.provider(), grant);
  const scope = IDENTITY_SCOPES.join(' ');
  const claims = { sub: accountId, client_id: clientId, org_id: workspaceId, scope, grant_id: grantId };
  return await server.signAccessToken(claims, lifetimeS);
}
