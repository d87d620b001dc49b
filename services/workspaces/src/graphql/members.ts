import { ADMINS_OR_INTERNAL, type Actor, ROLES, type Role, DomainError, type Origin } from '@payroll/kernel';
import {
  enumOf,
  field,
  IdArg,
  NULLABLE,
  MutationCtx,
  PageArguments,
  pageType,
  VisibleTo,
  PERSONS_READERS,
  type ServiceDependencies,
  type SubgraphContext,
} from '@payroll/service';
import type { Page } from '@payroll/store';
import { Arg, Args, ArgsType, Directive, Mutation, ObjectType, Query, Resolver, Ctx } from 'type-graphql';
import { addMember, changeMemberRole, removeMember } from '../commands/members.js';
import {
  findMember,
  listMembers,
  membersWithoutSecondFactor,
  findInviter,
  listInvitations,
} from '../queries/members.js';
import { ReaderOf, SUPPORTERS } from './readers.js';
import { newInvitationLink } from '../accounts/links.js';
import { forgetMail, inviteMember, revokeInvitation } from '../commands/invitations.js';
import { type Mailer, sendWhilePageWaits } from '../mail/mailer.js';
import { invitationMail } from '../mail/texts.js';

const RoleEnum = enumOf('Role', ROLES, 'What a member may do at most.');

@VisibleTo({ teams: SUPPORTERS, people: ['admin'] })
@ObjectType({ description: 'Someone who belongs to the workspace, or did.' })
class Member {
  // Returned to a member who leaves.
  @VisibleTo({ people: ROLES })
  @field.id('The id of the membership, a UUID.')
  id!: string;
  @field.text('How the person is called here.') name!: string;
  @field.text('The address by which the person signs in.') email!: string;
  @field.of(() => RoleEnum, 'What the member may do at most.') role!: Role;
  @field.boolean('Whether they can sign in; without, only keys act for them.') hasAccount!: boolean;
  @field.time('When the membership began.') createdAt!: string;
  @field.time('Set for who left.', NULLABLE) leftAt!: string | null;
}

const MemberPage = pageType(Member, 'members', SUPPORTERS);

@ArgsType()
class MemberListArguments extends PageArguments {
  @field.boolean('Whether those who left are listed too.', { defaultValue: false }) includeLeft!: boolean;
}

@Resolver()
export class MemberResolver {
  constructor(private readonly parts: Pick<ServiceDependencies, 'em' | 'commands'>) {}

  @VisibleTo({ teams: SUPPORTERS, people: ['admin'] })
  @Query(() => MemberPage, { description: 'Members, newest first.' })
  members(
    @Args(() => MemberListArguments) request: MemberListArguments,
    @ReaderOf(ADMINS_OR_INTERNAL) { workspaceId }: Actor,
  ): Promise<Page<Member>> {
    return listMembers(this.parts.em, workspaceId, request);
  }

  @VisibleTo({ teams: SUPPORTERS, people: ['admin'] })
  @Query(() => Member, { description: 'One member who belongs to the workspace now.' })
  member(@IdArg('membership') id: string, @ReaderOf(ADMINS_OR_INTERNAL) { workspaceId }: Actor): Promise<Member> {
    return findMember(this.parts.em, workspaceId, id);
  }

  @VisibleTo({ teams: SUPPORTERS, people: ['admin'] })
  @Query(() => [Member], { description: 'Members who sign in without a second factor, by name.' })
  membersWithoutSecondFactor(@ReaderOf(ADMINS_OR_INTERNAL) { workspaceId }: Actor): Promise<Member[]> {
    return membersWithoutSecondFactor(this.parts.em, workspaceId);
  }

  @VisibleTo({ teams: ['service'] })
  @Mutation(() => Member, { description: 'Makes someone a member of the workspace.' })
  addMember(
    @Arg('name', () => String, { description: '1–200 characters.' }) name: string,
    @Arg('email', () => String, { description: 'No other member has it.' }) email: string,
    @Arg('role', () => RoleEnum, { description: 'What the new member may do at most.' }) role: Role,
    @MutationCtx() origin: Origin,
  ): Promise<Member> {
    return this.parts.commands.run(addMember, { name, email, role }, origin);
  }

  @VisibleTo({ teams: ['service'] })
  @Mutation(() => Member, { description: 'Holds from the next request on, also for keys.' })
  changeMemberRole(
    @IdArg('membership') id: string,
    @Arg('role', () => RoleEnum, { description: 'The role from now on; it holds from the next request.' }) role: Role,
    @Arg('expectedRole', () => RoleEnum, {
      nullable: true,
      description: 'The role that was seen; refused with INVALID_STATE if it has changed since.',
    })
    expectedRole: Role | null | undefined,
    @MutationCtx() origin: Origin,
  ): Promise<Member> {
    return this.parts.commands.run(changeMemberRole, { id, role, expectedRole }, origin);
  }

  @VisibleTo({ teams: ['service', 'operations'] })
  @Mutation(() => Member, {
    description: 'Someone leaves: their keys are revoked for ever. The last admin cannot leave.',
  })
  removeMember(@IdArg('membership') id: string, @MutationCtx() origin: Origin): Promise<Member> {
    return this.parts.commands.run(removeMember, { id }, origin);
  }
}

@VisibleTo({ teams: PERSONS_READERS, people: ROLES })
@Directive('@key(fields: "id")')
@ObjectType({ description: 'Who did something: a member, a key or connection that acts for one, or a worker.' })
export class Principal {
  @field.id('As the audit trails have it, a UUID.') id!: string;
  @field.text('The member or worker who acted, or the member for whom it did.') memberName!: string;
  @field.text('Of the key or the assistant; null for the member in person.', NULLABLE) name!: string | null;
}

@VisibleTo({ teams: SUPPORTERS, people: ['admin'] })
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

@VisibleTo({ teams: ['service'], people: ['admin'] })
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

  @VisibleTo({ teams: SUPPORTERS, people: ['admin'] })
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
  @VisibleTo({ teams: ['service'] })
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

  @VisibleTo({ teams: SUPPORTERS })
  @Mutation(() => Invitation, { description: 'The link opens nothing any more.' })
  revokeInvitation(@IdArg('invitation') id: string, @MutationCtx() origin: Origin): Promise<Invitation> {
    return this.parts.commands.run(revokeInvitation, { id }, origin);
  }
}
