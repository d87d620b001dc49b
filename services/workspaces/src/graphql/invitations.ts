import { DomainError, ADMINS_OR_INTERNAL, type Actor, type Role } from '@payroll/kernel';
import {
  field,
  IdArg,
  NULLABLE,
  type MutationContext,
  MutationCtx,
  PageArguments,
  pageType,
  VisibleToPeople,
  type ServiceDependencies,
  type SubgraphContext,
  VisibleToTeams,
} from '@payroll/service';
import type { Page } from '@payroll/store';
import { Arg, Args, Ctx, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { newInvitationLink } from '../accounts/links.js';
import { forgetMail, inviteMember, revokeInvitation } from '../commands/invitations.js';
import { type Mailer, sendWhilePageWaits } from '../mail/mailer.js';
import { invitationMail } from '../mail/texts.js';
import { findInviter, listInvitations } from '../queries/members.js';
import { RoleEnum } from './members.js';
import { ReaderOf, SUPPORTERS } from './readers.js';

@VisibleToTeams(...SUPPORTERS)
@VisibleToPeople('admin')
@ObjectType({ description: 'A place held for somebody until they take it with the link they were given.' })
class Invitation {
  @field.id('Its id, a UUID.') id!: string;
  @field.text('How the invited person is called here.') name!: string;
  @field.text('The address that the invitation is for.') email!: string;
  @field.of(() => RoleEnum, 'The role of the membership that it opens; null for a worker.', NULLABLE)
  role!: Role | null;
  @field.time('From then on the link opens nothing.') expiresAt!: string;
  @field.time('When it was accepted; null until then.', NULLABLE) acceptedAt!: string | null;
  @field.time('When it was taken back; null unless it was.', NULLABLE) revokedAt!: string | null;
  @field.time('When it was made.') createdAt!: string;
}

const InvitationPage = pageType(Invitation, 'invitations', SUPPORTERS);

@VisibleToTeams('service')
@VisibleToPeople('admin')
@ObjectType({ description: 'An invitation just made, with its link.' })
class CreatedInvitation {
  @field.of(() => Invitation, 'The invitation, without its link.') invitation!: Invitation;
  @field.text(
    'For the invited person alone; shown this once. It is good for one use. Null where it was mailed: then only they see it.',
    NULLABLE,
  )
  link!: string | null;
}

const NO_MAIL = new DomainError('INVALID_STATE', 'This deployment sends no mail; share the link yourself.');
const NOT_SENT = new DomainError(
  'SERVICE_UNAVAILABLE',
  'The mail could not be sent. Invite them again in a few minutes, or share the link yourself.',
);

@Resolver()
export class InvitationResolver {
  constructor(
    private readonly parts: Pick<ServiceDependencies, 'em' | 'commands'>,
    private readonly site: { origin: string; mailer: Mailer | null },
  ) {}

  @VisibleToTeams(...SUPPORTERS)
  @VisibleToPeople('admin')
  @Query(() => InvitationPage, {
    description: 'Invitations that nobody has accepted, newest first.',
  })
  invitations(
    @Args(() => PageArguments) request: PageArguments,
    @ReaderOf(ADMINS_OR_INTERNAL) { workspaceId }: Actor,
  ): Promise<Page<Invitation>> {
    return listInvitations(this.parts.em, workspaceId, request);
  }

  /** Takes no operationId: a repeated request makes a new link, which replaces the previous one. */
  @VisibleToTeams('service')
  @Mutation(() => CreatedInvitation, {
    description:
      'Invites somebody, or gives a member who cannot sign in their sign-in. An earlier link for the address ends.',
  })
  async inviteMember(
    @Arg('name', () => String, { description: '1–200 characters.' }) name: string,
    @Arg('email', () => String, { description: 'Of nobody who is a member and signs in already.' }) email: string,
    @Arg('role', () => RoleEnum, {
      nullable: true,
      description: 'Of a new member, who needs one; who is one already keeps theirs.',
    })
    role: Role | null = null,
    @Arg('isMailed', () => Boolean, {
      defaultValue: false,
      description: 'Whether the link is mailed to the address, rather than answered.',
    })
    isMailed: boolean,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<CreatedInvitation> {
    const { mailer } = this.site;
    if (isMailed && mailer === null) throw NO_MAIL;
    const { id, secretHash, link } = newInvitationLink(this.site.origin);
    const given = { id, secretHash, name, email, role, isMailed };
    const invitation = await this.parts.commands.run(inviteMember, given, origin);
    if (!isMailed) return { invitation, link };
    if (invitation.id !== id) return { invitation, link: null };
    const about = { ...(await findInviter(this.parts.em, origin.actor)), role: invitation.role!, link };
    const mail = invitationMail(invitation.email, about);
    if (!(await sendWhilePageWaits(mailer!, mail, () => forgetMail(this.parts.em, id)))) throw NOT_SENT;
    return { invitation, link: null };
  }

  @VisibleToTeams(...SUPPORTERS)
  @Mutation(() => Invitation, { description: 'The link opens nothing any more.' })
  revokeInvitation(
    @IdArg('invitation') id: string,
    @MutationCtx() { origin, operationId }: MutationContext,
  ): Promise<Invitation> {
    return this.parts.commands.run(revokeInvitation, { id }, origin, operationId);
  }
}
