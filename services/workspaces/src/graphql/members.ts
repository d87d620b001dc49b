import { ADMINS_OR_INTERNAL, type Actor, ROLES, type Role } from '@payroll/kernel';
import {
  enumOf,
  ALL_ROLES,
  field,
  IdArg,
  NULLABLE,
  type MutationContext,
  MutationCtx,
  PageArguments,
  pageType,
  VisibleToPeople,
  PERSONS_READERS,
  type ServiceDependencies,
  VisibleToTeams,
} from '@payroll/service';
import type { Page } from '@payroll/store';
import { Arg, Args, ArgsType, Directive, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { addMember, changeMemberRole, removeMember } from '../commands/members.js';
import { findMember, listMembers, membersWithoutSecondFactor } from '../queries/members.js';
import { ReaderOf, SUPPORTERS } from './readers.js';

export const RoleEnum = enumOf('Role', ROLES, 'What a member may do at most.');

@VisibleToTeams(...SUPPORTERS)
@VisibleToPeople('admin')
@ObjectType({ description: 'Someone who belongs to the workspace, or did.' })
class Member {
  // Returned to a member who leaves.
  @VisibleToPeople(...ALL_ROLES)
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

  @VisibleToTeams(...SUPPORTERS)
  @VisibleToPeople('admin')
  @Query(() => MemberPage, { description: 'Members, newest first.' })
  members(
    @Args(() => MemberListArguments) request: MemberListArguments,
    @ReaderOf(ADMINS_OR_INTERNAL) { workspaceId }: Actor,
  ): Promise<Page<Member>> {
    return listMembers(this.parts.em, workspaceId, request);
  }

  @VisibleToTeams(...SUPPORTERS)
  @VisibleToPeople('admin')
  @Query(() => Member, { description: 'One member who belongs to the workspace now.' })
  member(@IdArg('membership') id: string, @ReaderOf(ADMINS_OR_INTERNAL) { workspaceId }: Actor): Promise<Member> {
    return findMember(this.parts.em, workspaceId, id);
  }

  @VisibleToTeams(...SUPPORTERS)
  @VisibleToPeople('admin')
  @Query(() => [Member], { description: 'Members who sign in without a second factor, by name.' })
  membersWithoutSecondFactor(@ReaderOf(ADMINS_OR_INTERNAL) { workspaceId }: Actor): Promise<Member[]> {
    return membersWithoutSecondFactor(this.parts.em, workspaceId);
  }

  @VisibleToTeams('service')
  @Mutation(() => Member, { description: 'Makes someone a member of the workspace.' })
  addMember(
    @Arg('name', () => String, { description: '1–200 characters.' }) name: string,
    @Arg('email', () => String, { description: 'No other member has it.' }) email: string,
    @Arg('role', () => RoleEnum, { description: 'What the new member may do at most.' }) role: Role,
    @MutationCtx() { origin, operationId }: MutationContext,
  ): Promise<Member> {
    return this.parts.commands.run(addMember, { name, email, role }, origin, operationId);
  }

  @VisibleToTeams('service')
  @Mutation(() => Member, { description: 'Holds from the next request on, also for keys.' })
  changeMemberRole(
    @IdArg('membership') id: string,
    @Arg('role', () => RoleEnum, { description: 'The role from now on; it holds from the next request.' }) role: Role,
    @Arg('expectedRole', () => RoleEnum, {
      nullable: true,
      description: 'The role that was seen; refused with INVALID_STATE if it has changed since.',
    })
    expectedRole: Role | null | undefined,
    @MutationCtx() { origin, operationId }: MutationContext,
  ): Promise<Member> {
    return this.parts.commands.run(changeMemberRole, { id, role, expectedRole }, origin, operationId);
  }

  @VisibleToTeams('service', 'operations')
  @Mutation(() => Member, {
    description: 'Someone leaves: their keys are revoked for ever. The last admin cannot leave.',
  })
  removeMember(
    @IdArg('membership') id: string,
    @MutationCtx() { origin, operationId }: MutationContext,
  ): Promise<Member> {
    return this.parts.commands.run(removeMember, { id }, origin, operationId);
  }
}

@VisibleToTeams(...PERSONS_READERS)
@VisibleToPeople(...ALL_ROLES)
@Directive('@key(fields: "id")')
@ObjectType({ description: 'Who did something: a member, a key or connection that acts for one, or a worker.' })
export class Principal {
  @field.id('As the audit trails have it, a UUID.') id!: string;
  @field.text('The member or worker who acted, or the member for whom it did.') memberName!: string;
  @field.text('Of the key or the assistant; null for the member in person.', NULLABLE) name!: string | null;
}
