import 'reflect-metadata';
import type { EntityManager } from '@mikro-orm/postgresql';
import { requireInternal, requireScope, type Actor } from '@payroll/kernel';
import type { Page } from '@payroll/store';
import type { SubgraphContext } from '@payroll/subgraph';
import { Teams } from '@payroll/subgraph';
import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import type { ApiKey as ApiKeyView } from '../domain/api-key.js';
import type { Member as MemberView } from '../domain/member.js';
import { listApiKeys } from '../queries/api-keys.js';
import { listMembers } from '../queries/members.js';
import { ApiKeyPage, MemberPage } from './types.js';

const LIMIT = { defaultValue: 50, description: '1–100.' };
const CURSOR = { nullable: true, description: 'The nextCursor of the previous page, other filters unchanged.' };

@Resolver()
export class MemberQueries {
  constructor(private readonly em: EntityManager) {}

  @Teams('service', 'support', 'operations')
  @Query(() => MemberPage, { description: 'Members, newest first. For internal teams.' })
  async members(
    @Arg('includeLeft', () => Boolean, { defaultValue: false, description: 'Whether those who left are listed too.' })
    includeLeft: boolean,
    @Arg('limit', () => Int, LIMIT) limit: number,
    @Arg('cursor', () => String, CURSOR) cursor: string | undefined,
    @Ctx() { origin: { actor } }: SubgraphContext,
  ): Promise<Page<MemberView>> {
    requireInternalReader(actor);
    return await listMembers(this.em, actor.workspaceId, { includeLeft, limit, cursor });
  }

  @Teams('service', 'support', 'operations')
  @Query(() => ApiKeyPage, { description: 'API keys, newest first, revoked and expired ones too. For internal teams.' })
  async apiKeys(
    @Arg('limit', () => Int, LIMIT) limit: number,
    @Arg('cursor', () => String, CURSOR) cursor: string | undefined,
    @Ctx() { origin: { actor } }: SubgraphContext,
  ): Promise<Page<ApiKeyView>> {
    requireInternalReader(actor);
    return await listApiKeys(this.em, actor.workspaceId, { limit, cursor });
  }
}

function requireInternalReader(actor: Actor): void {
  requireInternal(actor);
  requireScope(actor, 'read');
}
