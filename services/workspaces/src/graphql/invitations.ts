import 'reflect-metadata';
import type { Role } from '@payroll/kernel';
import type { ServiceParts } from '@payroll/service';
import type { Page } from '@payroll/store';
import {
  FieldOf,
  IdField,
  IdOf,
  NULLABLE,
  OperationOf,
  PageArguments,
  pageOf,
  Teams,
  TextField,
  TimeField,
  type Operation,
  type SubgraphContext,
} from '@payroll/subgraph';
import { Arg, Args, Ctx, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { newInvitationLink } from '../accounts/secret.js';
import { inviteMember, revokeInvitation } from '../commands/invitations.js';
import { listInvitations } from '../queries/invitations.js';
import { InternalReader, SUPPORTERS } from './internal-teams.js';
import { RoleEnum } from './members.js';

@Teams(...SUPPORTERS)
@ObjectType({ description: 'A place held for somebody until they take it with the link they were given.' })
class Invitation {
  @IdField('Its id, a UUID.') id!: string;
  @TextField('How the invited person is called here.') name!: string;
  @TextField('The address that the invitation is for.') email!: string;
  @FieldOf(() => RoleEnum, 'The role of the membership that it opens.') role!: Role;
  @TimeField('From then on the link opens nothing.') expiresAt!: string;
  @TimeField('When it was accepted; null until then.', NULLABLE) acceptedAt!: string | null;
  @TimeField('When it was taken back; null unless it was.', NULLABLE) revokedAt!: string | null;
  @TimeField('When it was made.') createdAt!: string;
}

const InvitationPage = pageOf(Invitation, 'invitations', SUPPORTERS);

@Teams('service')
@ObjectType({ description: 'An invitation just made, with its link.' })
class CreatedInvitation {
  @FieldOf(() => Invitation, 'The invitation, without its link.') invitation!: Invitation;
  @TextField('For the invited person alone; shown this once. It is good for one use.') link!: string;
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
