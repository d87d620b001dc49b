import type { Role } from '@payroll/kernel';
import type { ServiceParts } from '@payroll/service';
import type { Page } from '@payroll/store';
import {
  enumOf,
  field,
  IdOf,
  NULLABLE,
  type Operation,
  OperationOf,
  PageArguments,
  pageOf,
  type SubgraphContext,
  Teams,
} from '@payroll/subgraph';
import { Arg, Args, ArgsType, Ctx, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { newInvitationLink } from '../accounts/secret.js';
import { inviteMember, revokeInvitation } from '../commands/invitations.js';
import { addMember, changeMemberRole, removeMember } from '../commands/members.js';
import { ROLES } from '../domain/member.js';
import { listInvitations, listMembers } from '../queries/members.js';
import { InternalReader, SUPPORTERS } from './internal-teams.js';

const RoleEnum = enumOf('Role', ROLES, 'What a member may do at most.');

@Teams(...SUPPORTERS)
@ObjectType({ description: 'Someone who belongs to the workspace, or did.' })
class Member {
  @field.id('The id of the membership, a UUID.') id!: string;
  @field.text('How the person is called here.') name!: string;
  @field.text('The address by which the person signs in.') email!: string;
  @field.of(() => RoleEnum, 'What the member may do at most.') role!: Role;
  @field.boolean('Whether they can sign in; without, only keys act for them.') hasAccount!: boolean;
  @field.time('When the membership began.') createdAt!: string;
  @field.time('Set for who left.', NULLABLE) leftAt!: string | null;
}

const MemberPage = pageOf(Member, 'members', SUPPORTERS);

@ArgsType()
class MemberListArguments extends PageArguments {
  @field.boolean('Whether those who left are listed too.', { defaultValue: false }) includeLeft!: boolean;
}

@Resolver()
export class MemberResolver {
  constructor(private readonly parts: Pick<ServiceParts, 'em' | 'commands'>) {}

  @Teams(...SUPPORTERS)
  @Query(() => MemberPage, { description: 'Members, newest first. For internal teams.' })
  members(
    @Args(() => MemberListArguments) request: MemberListArguments,
    @InternalReader() workspaceId: string,
  ): Promise<Page<Member>> {
    return listMembers(this.parts.em, workspaceId, request);
  }

  @Teams('service')
  @Mutation(() => Member, { description: 'Makes someone a member of the workspace.' })
  addMember(
    @Arg('name', () => String, { description: '1–200 characters.' }) name: string,
    @Arg('email', () => String, { description: 'No other member has it.' }) email: string,
    @Arg('role', () => RoleEnum, { description: 'What the new member may do at most.' }) role: Role,
    @OperationOf() { origin, operationId }: Operation,
  ): Promise<Member> {
    return this.parts.commands.run(addMember, { name, email, role }, origin, operationId);
  }

  @Teams('service')
  @Mutation(() => Member, { description: 'Holds from the next request on, also for keys.' })
  changeMemberRole(
    @IdOf('membership') id: string,
    @Arg('role', () => RoleEnum, { description: 'The role from now on; it holds from the next request.' }) role: Role,
    @OperationOf() { origin, operationId }: Operation,
  ): Promise<Member> {
    return this.parts.commands.run(changeMemberRole, { id, role }, origin, operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Member, {
    description: 'Someone leaves: their keys are revoked for ever. The last admin cannot leave.',
  })
  removeMember(@IdOf('membership') id: string, @OperationOf() { origin, operationId }: Operation): Promise<Member> {
    return this.parts.commands.run(removeMember, { id }, origin, operationId);
  }
}

@Teams(...SUPPORTERS)
@ObjectType({ description: 'A place held for somebody until they take it with the link they were given.' })
class Invitation {
  @field.id('Its id, a UUID.') id!: string;
  @field.text('How the invited person is called here.') name!: string;
  @field.text('The address that the invitation is for.') email!: string;
  @field.of(() => RoleEnum, 'The role of the membership that it opens.') role!: Role;
  @field.time('From then on the link opens nothing.') expiresAt!: string;
  @field.time('When it was accepted; null until then.', NULLABLE) acceptedAt!: string | null;
  @field.time('When it was taken back; null unless it was.', NULLABLE) revokedAt!: string | null;
  @field.time('When it was made.') createdAt!: string;
}

const InvitationPage = pageOf(Invitation, 'invitations', SUPPORTERS);

@Teams('service')
@ObjectType({ description: 'An invitation just made, with its link.' })
class CreatedInvitation {
  @field.of(() => Invitation, 'The invitation, without its link.') invitation!: Invitation;
  @field.text('For the invited person alone; shown this once. It is good for one use.') link!: string;
}

@Resolver()
export class InvitationResolver {
  constructor(
    private readonly parts: Pick<ServiceParts, 'em' | 'commands'>,
    private readonly siteOrigin: string,
  ) {}

  @Teams(...SUPPORTERS)
  @Query(() => InvitationPage, {
    description: 'Invitations that nobody has accepted, newest first. For internal teams.',
  })
  invitations(
    @Args(() => PageArguments) request: PageArguments,
    @InternalReader() workspaceId: string,
  ): Promise<Page<Invitation>> {
    return listInvitations(this.parts.em, workspaceId, request);
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
  ): Promise<CreatedInvitation> {
    const { id, secretHash, link } = newInvitationLink(this.siteOrigin);
    const invitation = await this.parts.commands.run(inviteMember, { id, secretHash, name, email, role }, origin);
    return { invitation, link };
  }

  @Teams(...SUPPORTERS)
  @Mutation(() => Invitation, { description: 'The link opens nothing any more.' })
  revokeInvitation(
    @IdOf('invitation') id: string,
    @OperationOf() { origin, operationId }: Operation,
  ): Promise<Invitation> {
    return this.parts.commands.run(revokeInvitation, { id }, origin, operationId);
  }
}
