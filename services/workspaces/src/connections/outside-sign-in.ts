import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError, newId, SCOPES, systemOrigin } from '@payroll/kernel';
import type { CommandRunner } from '@payroll/store';
import { sql } from 'kysely';
import { askForClient } from '../commands/clients.js';
import { connectAssistant } from '../commands/connections.js';
import type { ClientStatus } from '../domain/connection.js';
import type { TokenFacts } from './token-issuer.js';

interface Standing {
  membershipId: string;
  status: ClientStatus | null;
  /** Whether this member ever had a connection of this client. */
  hasHad: boolean;
}

/**
 * With another issuer there is no page of ours on which somebody consents. What an admin enabled is connected when a
 * member comes with it for the first time; what was ended stays ended, until it is allowed again on the page Connections,
 * as a refreshed token of the issuer looks like a new sign-in.
 */
export class OutsideSignIn {
  constructor(
    private readonly em: EntityManager,
    private readonly commands: CommandRunner,
  ) {}

  /**
   * Whether there is a connection now.
   * @throws DomainError `INSUFFICIENT_SCOPE` when no admin has enabled the client.
   */
  async connect(token: TokenFacts): Promise<boolean> {
    const standing = await this.find(token);
    if (!standing || standing.hasHad) return false;
    const { membershipId, status } = standing;
    const client = { id: token.clientId, name: token.clientId, hosts: [] };
    const origin = systemOrigin(token.workspaceId, 'runner', newId());
    if (status !== 'enabled') {
      if (status === null) await this.commands.run(askForClient, client, origin);
      throw new DomainError('INSUFFICIENT_SCOPE', 'No admin of the workspace has enabled this client.');
    }
    const input = { membershipId, subject: token.subject, client, scopes: SCOPES, enable: false, grantId: null };
    await this.commands.run(connectAssistant, input, origin);
    return true;
  }

  private async find({ workspaceId, clientId, email }: TokenFacts): Promise<Standing | null> {
    if (email === null) return null;
    const { rows } = await sql<Standing>`
      select m.id as "membershipId", k.status, exists (
          select from mcp_connection c
          where c.workspace_id = m.workspace_id and c.client_id = ${clientId} and c.membership_id = m.id) as "hasHad"
      from membership m
      left join mcp_client k on k.workspace_id = m.workspace_id and k.id = ${clientId}
      where m.workspace_id = ${workspaceId} and m.email = ${email} and m.left_at is null`.execute(this.em.getKysely());
    return rows[0] ?? null;
  }
}
