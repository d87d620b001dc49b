import 'reflect-metadata';
import type { EntityManager } from '@mikro-orm/postgresql';
import { requireInternal, requireScope, type Role } from '@payroll/kernel';
import type { CommandRunner, Page } from '@payroll/store';
import { OPERATION_ID, Teams, type SubgraphContext } from '@payroll/subgraph';
import { Arg, Ctx, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
import { newInvitationLink } from '../accounts/secret.js';
import { inviteMember, revokeInvitation } from '../commands/invitations.js';
import type * as domain from '../domain/member.js';
import { listInvitations } from '../queries/invitations.js';
import { CreatedInvitation, Invitation, InvitationPage } from './invitation-types.js';
import { RoleEnum } from './types.js';

@Resolver()
export class InvitationResolver {
  constructor(
    private readonly em: EntityManager,
    private readonly commands: CommandRunner,
    private readonly origin: string,
  ) {}

  @Teams('service', 'support', 'operations')
  @Query(() => InvitationPage, {
    description: 'Invitations that nobody has accepted, newest first. For internal teams.',
  })
  async invitations(
    @Arg('limit', () => Int, { defaultValue: 50, description: '1–100.' }) limit: number,
    @Arg('cursor', () => String, { nullable: true, description: 'The nextCursor of the previous page.' })
    cursor: string | undefined,
    @Ctx() { origin: { actor } }: SubgraphContext,
  ): Promise<Page<domain.Invitation>> {
    requireInternal(actor);
    requireScope(actor, 'read');
    return await listInvitations(this.em, actor.workspaceId, { limit, cursor });
  }

  @Teams('service')
  @Mutation(() => CreatedInvitation, {
    description:
      'Invites somebody, or gives a member who cannot sign in their sign-in. An earlier link for the address ends.',
  })
  async inviteMember(
    @Arg('name', () => String, { description: '1–200 characters.' }) name: string,
    @Arg('email', () => String, { description: 'Of nobody who is a member and signs in already.' }) email: string,
    @Arg('role', () => RoleEnum, { description: 'Of a new member; who is one already keeps theirs.' }) role: Role,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<{ invitation: domain.Invitation; link: string }> {
    const { id, secretHash, link } = newInvitationLink(this.origin);
    const invitation = await this.commands.run(inviteMember, { id, secretHash, name, email, role }, origin);
    return { invitation, link };
  }

  @Teams('service', 'support', 'operations')
  @Mutation(() => Invitation, { description: 'The link opens nothing any more.' })
  revokeInvitation(
    @Arg('id', () => ID, { description: 'The id of the invitation.' }) id: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Invitation> {
    return this.commands.run(revokeInvitation, { id }, origin, operationId);
  }
}
