import 'reflect-metadata';
import { newApiKey, type Deployment } from '@payroll/admission';
import { DomainError, SCOPES, type Scope } from '@payroll/kernel';
import type { CommandRunner } from '@payroll/store';
import { OPERATION_ID, type SubgraphContext, Teams, Timestamp } from '@payroll/subgraph';
import { Arg, Ctx, Field, ID, InputType, Mutation, Resolver } from 'type-graphql';
import { createApiKey, revokeApiKey, rotateApiKey } from '../commands/api-keys.js';
import type * as domain from '../domain/api-key.js';
import { ApiKey, CreatedApiKey } from './types.js';

@InputType({ description: 'A new key: for whom, what it may do and until when.' })
export class ApiKeyInput {
  @Field(() => ID, { description: 'The member it acts as.' })
  memberId!: string;

  @Field(() => String, { description: '1–200 characters.' })
  name!: string;

  @Field(() => [String], { description: `Of ${SCOPES.join(', ')}; no more than the member's role allows.` })
  scopes!: string[];

  @Field(() => Timestamp, { description: 'In the future.' })
  expiresAt!: string;
}

/** Those that show a secret take no operationId: a result that is sent again would have to be kept, and the secret is not. */
@Resolver()
export class ApiKeyMutations {
  constructor(
    private readonly commands: CommandRunner,
    private readonly deployment: Deployment,
  ) {}

  @Teams('service')
  @Mutation(() => CreatedApiKey, {
    description: 'Makes a key. If the answer is lost, revoke the key and make another.',
  })
  async createApiKey(
    @Arg('input', () => ApiKeyInput, { description: 'The key to make.' }) {
      memberId,
      name,
      scopes,
      expiresAt,
    }: ApiKeyInput,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<{ apiKey: domain.ApiKey; secret: string }> {
    const { id, hash, text } = newApiKey(this.deployment);
    const input = { id, secretHash: hash, memberId, name, scopes: scopes.map(scopeOf), expiresAt };
    const apiKey = await this.commands.run(createApiKey, input, origin);
    return { apiKey, secret: text };
  }

  @Teams('service')
  @Mutation(() => CreatedApiKey, {
    description: 'A new key for the same principal. The old one lives until it is revoked; a revoked one has no other.',
  })
  async rotateApiKey(
    @Arg('id', () => ID, { description: 'The key that the new one takes the place of.' }) replaces: string,
    @Arg('expiresAt', () => Timestamp, { description: 'Of the new key; in the future.' }) expiresAt: string,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<{ apiKey: domain.ApiKey; secret: string }> {
    const { id, hash, text } = newApiKey(this.deployment);
    const apiKey = await this.commands.run(rotateApiKey, { replaces, id, secretHash: hash, expiresAt }, origin);
    return { apiKey, secret: text };
  }

  @Teams('service', 'support', 'operations')
  @Mutation(() => ApiKey, { description: 'For ever, from the next request on.' })
  revokeApiKey(
    @Arg('id', () => ID, { description: 'The id of the key.' }) id: string,
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
