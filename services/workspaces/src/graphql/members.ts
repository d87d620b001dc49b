import 'reflect-metadata';
import type { EntityManager } from '@mikro-orm/postgresql';
import { requireInternal, requireScope, type Actor, type Role } from '@payroll/kernel';
import type { CommandRunner, Page } from '@payroll/store';
import { OPERATION_ID, Teams, Timestamp, type SubgraphContext } from '@payroll/subgraph';
import { Arg, Ctx, Field, ID, Int, Mutation, ObjectType, Query, registerEnumType, Resolver } from 'type-graphql';
import { addMember, changeMemberRole, removeMember } from '../commands/members.js';
import type * as domain from '../domain/member.js';
import { ROLES } from '../domain/member.js';
import { listMembers } from '../queries/members.js';

export const RoleEnum = Object.fromEntries(ROLES.map((role) => [role, role]));
registerEnumType(RoleEnum, { name: 'Role', description: 'What a member may do at most.' });

@Teams('service', 'support', 'operations')
@ObjectType({ description: 'Someone who belongs to the workspace, or did.' })
class Member implements domain.Member {
  @Field(() => ID, { description: 'The id of the membership, a UUID.' })
  id!: string;

  @Field(() => String, { description: 'How the person is called here.' })
  name!: string;

  @Field(() => String, { description: 'The address by which the person signs in.' })
  email!: string;

  @Field(() => RoleEnum, { description: 'What the member may do at most.' })
  role!: Role;

  @Field(() => Boolean, { description: 'Whether they can sign in; without, only keys act for them.' })
  hasAccount!: boolean;

  @Field(() => Timestamp, { description: 'When the membership began.' })
  createdAt!: string;

  @Field(() => Timestamp, { nullable: true, description: 'Set for who left.' })
  leftAt!: string | null;
}

@Teams('service', 'support', 'operations')
@ObjectType({ description: 'A page of members.' })
class MemberPage {
  @Field(() => [Member], { description: 'What is on this page.' })
  nodes!: Member[];

  @Field(() => Boolean, { description: 'Whether another page follows.' })
  hasMore!: boolean;

  @Field(() => String, {
    description: 'Send it as cursor, with the same filters, to get the next page; null on the last.',
    nullable: true,
  })
  nextCursor!: string | null;
}

@Resolver()
export class MemberResolver {
  constructor(
    private readonly em: EntityManager,
    private readonly commands: CommandRunner,
  ) {}

  @Teams('service', 'support', 'operations')
  @Query(() => MemberPage, { description: 'Members, newest first. For internal teams.' })
  async members(
    @Arg('includeLeft', () => Boolean, { defaultValue: false, description: 'Whether those who left are listed too.' })
    includeLeft: boolean,
    @Arg('limit', () => Int, { defaultValue: 50, description: '1–100.' }) limit: number,
    @Arg('cursor', () => String, {
      nullable: true,
      description: 'The nextCursor of the previous page, other filters unchanged.',
    })
    cursor: string | undefined,
    @Ctx() { origin: { actor } }: SubgraphContext,
  ): Promise<Page<domain.Member>> {
    requireInternalReader(actor);
    return await listMembers(this.em, actor.workspaceId, { includeLeft, limit, cursor });
  }

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

export function requireInternalReader(actor: Actor): void {
  requireInternal(actor);
  requireScope(actor, 'read');
}
