import 'reflect-metadata';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Role } from '@payroll/kernel';
import type { CommandRunner, Page } from '@payroll/store';
import { OPERATION_ID, Teams, Timestamp, type SubgraphContext } from '@payroll/subgraph';
import { Arg, Ctx, Field, ID, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { newInvitationLink } from '../accounts/secret.js';
import { inviteMember, revokeInvitation } from '../commands/invitations.js';
import type * as domain from '../domain/member.js';
import { listInvitations } from '../queries/invitations.js';
import { requireInternalReader, RoleEnum } from './members.js';

@Teams('service', 'support', 'operations')
@ObjectType({ description: 'A place held for somebody until they take it with the link they were given.' })
class Invitation implements domain.Invitation {
  @Field(() => ID, { description: 'Its id, a UUID.' })
  id!: string;

  @Field(() => String, { description: 'How the invited person is called here.' })
  name!: string;

  @Field(() => String, { description: 'The address that the invitation is for.' })
  email!: string;

  @Field(() => RoleEnum, { description: 'The role of the membership that it opens.' })
  role!: Role;

  @Field(() => Timestamp, { description: 'From then on the link opens nothing.' })
  expiresAt!: string;

  @Field(() => Timestamp, { description: 'When it was accepted; null until then.', nullable: true })
  acceptedAt!: string | null;

  @Field(() => Timestamp, { description: 'When it was taken back; null unless it was.', nullable: true })
  revokedAt!: string | null;

  @Field(() => Timestamp, { description: 'When it was made.' })
  createdAt!: string;
}

@Teams('service', 'support', 'operations')
@ObjectType({ description: 'A page of invitations.' })
class InvitationPage {
  @Field(() => [Invitation], { description: 'What is on this page.' })
  nodes!: Invitation[];

  @Field(() => Boolean, { description: 'Whether another page follows.' })
  hasMore!: boolean;

  @Field(() => String, {
    description: 'Send it as cursor, with the same filters, to get the next page; null on the last.',
    nullable: true,
  })
  nextCursor!: string | null;
}

@Teams('service')
@ObjectType({ description: 'An invitation just made, with its link.' })
class CreatedInvitation {
  @Field(() => Invitation, { description: 'The invitation, without its link.' })
  invitation!: Invitation;

  @Field(() => String, { description: 'For the invited person alone; shown this once. It is good for one use.' })
  link!: string;
}

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
    requireInternalReader(actor);
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
