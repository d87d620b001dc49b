import { MANAGERS, type Actor, type Role } from '@payroll/kernel';
import {
  enumOf,
  EVERY_MEMBER,
  field,
  IdOf,
  NULLABLE,
  type Operation,
  OperationOf,
  PageArguments,
  pageOf,
  People,
  PERSONS_READERS,
  type ServiceParts,
  Teams,
} from '@payroll/service';
import type { Page } from '@payroll/store';
import { Arg, Args, ArgsType, Directive, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { addMember, changeMemberRole, removeMember } from '../commands/members.js';
import { ROLES } from '../domain/member.js';
import { findMember, listMembers, membersWithoutSecondFactor } from '../queries/members.js';
import { ReaderOf, SUPPORTERS } from './readers.js';

export const RoleEnum = enumOf('Role', ROLES, 'What a member may do at most.');

@Teams(...SUPPORTERS)
@People('admin')
@ObjectType({ description: 'Someone who belongs to the workspace, or did.' })
class Member {
  // Returned to a member who leaves.
  @People(...EVERY_MEMBER)
  @field.id('The id of the membership, a UUID.')
  id!: string;
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
  @People('admin')
  @Query(() => MemberPage, { description: 'Members, newest first.' })
  members(
    @Args(() => MemberListArguments) request: MemberListArguments,
    @ReaderOf(MANAGERS) { workspaceId }: Actor,
  ): Promise<Page<Member>> {
    return listMembers(this.parts.em, workspaceId, request);
  }

  @Teams(...SUPPORTERS)
  @People('admin')
  @Query(() => Member, { description: 'One member who belongs to the workspace now.' })
  member(@IdOf('membership') id: string, @ReaderOf(MANAGERS) { workspaceId }: Actor): Promise<Member> {
    return findMember(this.parts.em, workspaceId, id);
  }

  @Teams(...SUPPORTERS)
  @People('admin')
  @Query(() => [Member], { description: 'Members who sign in without a second factor, by name.' })
  membersWithoutSecondFactor(@ReaderOf(MANAGERS) { workspaceId }: Actor): Promise<Member[]> {
    return membersWithoutSecondFactor(this.parts.em, workspaceId);
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

@Teams(...PERSONS_READERS)
@People(...EVERY_MEMBER)
@Directive('@key(fields: "id")')
@ObjectType({ description: 'Who did something: a member, a key or connection that acts for one, or a worker.' })
export class Principal {
  @field.id('As the audit trails have it, a UUID.') id!: string;
  @field.text('The member or worker who acted, or the member for whom it did.') memberName!: string;
  @field.text('Of the key or the assistant; null for the member in person.', NULLABLE) name!: string | null;
}
