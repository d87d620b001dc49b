import 'reflect-metadata';
import { newApiKey, type Deployment } from '@payroll/admission';
import { DomainError, SCOPES, type Role, type Scope } from '@payroll/kernel';
import type { CommandRunner } from '@payroll/store';
import { OPERATION_ID, Timestamp, type SubgraphContext } from '@payroll/subgraph';
import { Arg, Ctx, Field, ID, InputType, Mutation, Resolver } from 'type-graphql';
import { addMember } from '../commands/add-member.js';
import { changeMemberRole } from '../commands/change-member-role.js';
import { createApiKey } from '../commands/create-api-key.js';
import { revokeApiKey } from '../commands/revoke-api-key.js';
import type * as domain from '../domain/workspace.js';
import { ApiKey, CreatedApiKey, Member, RoleEnum } from './types.js';

@InputType({ description: 'A new key: for whom, what it may do and until when.' })
export class ApiKeyInput {
  @Field(() => ID, { description: 'The member it acts as.' })
  memberId!: string;

  @Field(() => String)
  name!: string;

  @Field(() => [String], { description: `Of ${SCOPES.join(', ')}; no more than the member's role allows.` })
  scopes!: string[];

  @Field(() => Timestamp)
  expiresAt!: string;
}

@Resolver()
export class MemberMutations {
  constructor(
    private readonly commands: CommandRunner,
    private readonly deployment: Deployment,
  ) {}

  @Mutation(() => Member, { description: 'Makes someone a member of the workspace.' })
  addMember(
    @Arg('name', () => String) name: string,
    @Arg('email', () => String) email: string,
    @Arg('role', () => RoleEnum) role: Role,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Member> {
    return this.commands.run(addMember, { name, email, role }, origin, operationId);
  }

  @Mutation(() => Member, { description: 'Holds from the next request on, also for keys.' })
  changeMemberRole(
    @Arg('id', () => ID) id: string,
    @Arg('role', () => RoleEnum) role: Role,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Member> {
    return this.commands.run(changeMemberRole, { id, role }, origin, operationId);
  }

  /** Takes no operationId: a result that is sent again would have to be kept, and the secret is not. */
  @Mutation(() => CreatedApiKey, {
    description: 'Makes a key. If the answer is lost, revoke the key and make another.',
  })
  async createApiKey(
    @Arg('input', () => ApiKeyInput) { memberId, name, scopes, expiresAt }: ApiKeyInput,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<{ apiKey: domain.ApiKey; secret: string }> {
    const { id, hash, text } = newApiKey(this.deployment);
    const input = { id, secretHash: hash, memberId, name, scopes: scopes.map(scopeOf), expiresAt };
    const apiKey = await this.commands.run(createApiKey, input, origin);
    return { apiKey, secret: text };
  }

  @Mutation(() => ApiKey, { description: 'For ever, from the next request on.' })
  revokeApiKey(
    @Arg('id', () => ID) id: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.ApiKey> {
    return this.commands.run(revokeApiKey, { id }, origin, operationId);
  }
}

function scopeOf(text: string): Scope {
  const scope = SCOPES.find((each) => each === text);
  if (scope) return scope;
  throw new DomainError('VALIDATION_FAILED', `scopes are of ${SCOPES.join(', ')}.`, {
    details: [{ path: 'scopes', code: 'unknown' }],
  });
}
