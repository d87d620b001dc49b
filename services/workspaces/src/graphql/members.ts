import 'reflect-metadata';
import type { Role } from '@payroll/kernel';
import type { ServiceParts } from '@payroll/service';
import type { Page } from '@payroll/store';
import {
  BooleanField,
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
} from '@payroll/subgraph';
import { Arg, Args, ArgsType, Mutation, ObjectType, Query, registerEnumType, Resolver } from 'type-graphql';
import { addMember, changeMemberRole, removeMember } from '../commands/members.js';
import { ROLES } from '../domain/member.js';
import { listMembers } from '../queries/members.js';
import { InternalReader, SUPPORTERS } from './internal-teams.js';

export const RoleEnum = Object.fromEntries(ROLES.map((role) => [role, role]));
registerEnumType(RoleEnum, { name: 'Role', description: 'What a member may do at most.' });

@Teams(...SUPPORTERS)
@ObjectType({ description: 'Someone who belongs to the workspace, or did.' })
class Member {
  @IdField('The id of the membership, a UUID.') id!: string;
  @TextField('How the person is called here.') name!: string;
  @TextField('The address by which the person signs in.') email!: string;
  @FieldOf(() => RoleEnum, 'What the member may do at most.') role!: Role;
  @BooleanField('Whether they can sign in; without, only keys act for them.') hasAccount!: boolean;
  @TimeField('When the membership began.') createdAt!: string;
  @TimeField('Set for who left.', NULLABLE) leftAt!: string | null;
}

const MemberPage = pageOf(Member, 'members', SUPPORTERS);

@ArgsType()
class MemberListArguments extends PageArguments {
  @BooleanField('Whether those who left are listed too.', { defaultValue: false }) includeLeft!: boolean;
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
