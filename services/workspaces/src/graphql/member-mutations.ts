import 'reflect-metadata';
import type { Role } from '@payroll/kernel';
import type { CommandRunner } from '@payroll/store';
import { OPERATION_ID, type SubgraphContext, Teams } from '@payroll/subgraph';
import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { addMember, changeMemberRole, removeMember } from '../commands/members.js';
import type * as domain from '../domain/member.js';
import { Member, RoleEnum } from './types.js';

@Resolver()
export class MemberMutations {
  constructor(private readonly commands: CommandRunner) {}

  @Teams('service')
  @Mutation(() => Member, { description: 'Makes someone a member of the workspace.' })
  addMember(
    @Arg('name', () => String, { description: '1–200 characters.' }) name: string,
    @Arg('email', () => String, { description: 'No other member has it.' }) email: string,
    @Arg('role', () => RoleEnum, { description: 'What the new member may do at most.' }) role: Role,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Member> {
    return this.commands.run(addMember, { name, email, role }, origin, operationId);
  }

  @Teams('service')
  @Mutation(() => Member, { description: 'Holds from the next request on, also for keys.' })
  changeMemberRole(
    @Arg('id', () => ID, { description: 'The id of the membership.' }) id: string,
    @Arg('role', () => RoleEnum, { description: 'The role from now on; it holds from the next request.' }) role: Role,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Member> {
    return this.commands.run(changeMemberRole, { id, role }, origin, operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Member, {
    description: 'Someone leaves: their keys are revoked for ever. The last admin cannot leave.',
  })
  removeMember(
    @Arg('id', () => ID, { description: 'The id of the membership.' }) id: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Member> {
    return this.commands.run(removeMember, { id }, origin, operationId);
  }
}
