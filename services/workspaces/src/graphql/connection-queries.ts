import 'reflect-metadata';
import type { EntityManager } from '@mikro-orm/postgresql';
import { requireInternal, requireScope, type Actor } from '@payroll/kernel';
import type { Page } from '@payroll/store';
import { type SubgraphContext, Teams } from '@payroll/subgraph';
import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import type * as domain from '../domain/connection.js';
import { listMcpClients, listMcpConnections } from '../queries/connections.js';
import { McpClient, McpConnectionPage } from './connection-types.js';

@Resolver()
export class ConnectionQueries {
  constructor(private readonly em: EntityManager) {}

  @Teams('service', 'support', 'operations')
  @Query(() => [McpClient], {
    description: 'Assistants that are enabled, were asked for or are disabled, in this order. For internal teams.',
  })
  async mcpClients(@Ctx() { origin: { actor } }: SubgraphContext): Promise<domain.McpClient[]> {
    requireInternalReader(actor);
    return await listMcpClients(this.em, actor.workspaceId);
  }

  @Teams('service', 'support', 'operations')
  @Query(() => McpConnectionPage, { description: 'Connections of assistants, newest first. For internal teams.' })
  async mcpConnections(
    @Arg('includeRevoked', () => Boolean, { defaultValue: false, description: 'Whether ended ones are listed too.' })
    includeRevoked: boolean,
    @Arg('limit', () => Int, { defaultValue: 50, description: '1–100.' }) limit: number,
    @Arg('cursor', () => String, {
      nullable: true,
      description: 'The nextCursor of the previous page, other filters unchanged.',
    })
    cursor: string | undefined,
    @Ctx() { origin: { actor } }: SubgraphContext,
  ): Promise<Page<domain.McpConnection>> {
    requireInternalReader(actor);
    return await listMcpConnections(this.em, actor.workspaceId, { includeRevoked, limit, cursor });
  }
}

function requireInternalReader(actor: Actor): void {
  requireInternal(actor);
  requireScope(actor, 'read');
}
