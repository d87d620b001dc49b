import 'reflect-metadata';
import type { EntityManager } from '@mikro-orm/postgresql';
import { newApiKey, type Deployment } from '@payroll/admission';
import { DomainError, SCOPES, type Scope } from '@payroll/kernel';
import type { CommandRunner, Page } from '@payroll/store';
import { OPERATION_ID, Teams, Timestamp, type SubgraphContext } from '@payroll/subgraph';
import { Arg, Ctx, Field, ID, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { createApiKey, revokeApiKey, rotateApiKey } from '../commands/api-keys.js';
import type * as domain from '../domain/api-key.js';
import { listApiKeys } from '../queries/api-keys.js';
import { requireInternalReader } from './members.js';

@Teams('service', 'support', 'operations')
@ObjectType({ description: 'A credential for /v1 that acts as a member.' })
class ApiKey implements domain.ApiKey {
  @Field(() => ID, { description: 'Its id, a UUID.' })
  id!: string;

  @Field(() => String, { description: 'What its maker called it.' })
  name!: string;

  @Field(() => ID, { description: 'Idempotency keys and external references belong to it; kept over rotation.' })
  principalId!: string;

  @Field(() => ID, { description: 'The membership that it acts as.' })
  memberId!: string;

  @Field(() => [String], { description: `Of ${SCOPES.join(', ')}.` })
  scopes!: readonly string[];

  @Field(() => Timestamp, { description: 'From then on it opens nothing.' })
  expiresAt!: string;

  @Field(() => Timestamp, { description: 'When it was revoked; null unless it was.', nullable: true })
  revokedAt!: string | null;

  @Field(() => Timestamp, { nullable: true, description: 'To the minute; null when it has never been used.' })
  lastUsedAt!: string | null;

  @Field(() => Timestamp, { description: 'When it was made.' })
  createdAt!: string;
}

@Teams('service', 'support', 'operations')
@ObjectType({ description: 'A page of API keys.' })
class ApiKeyPage {
  @Field(() => [ApiKey], { description: 'What is on this page.' })
  nodes!: ApiKey[];

  @Field(() => Boolean, { description: 'Whether another page follows.' })
  hasMore!: boolean;

  @Field(() => String, {
    description: 'Send it as cursor, with the same filters, to get the next page; null on the last.',
    nullable: true,
  })
  nextCursor!: string | null;
}

@Teams('service')
@ObjectType({ description: 'A key just made, with its secret.' })
class CreatedApiKey {
  @Field(() => ApiKey, { description: 'The key, without its secret.' })
  apiKey!: ApiKey;

  @Field(() => String, { description: 'Shown this once; it cannot be retrieved later.' })
  secret!: string;
}

@InputType({ description: 'A new key: for whom, what it may do and until when.' })
class ApiKeyInput {
  @Field(() => ID, { description: 'The member it acts as.' })
  memberId!: string;

  @Field(() => String, { description: '1–200 characters.' })
  name!: string;

  @Field(() => [String], { description: `Of ${SCOPES.join(', ')}; no more than the member's role allows.` })
  scopes!: string[];

  @Field(() => Timestamp, { description: 'In the future.' })
  expiresAt!: string;
}

/** Mutations that show a secret take no operationId: replaying a result needs it kept, and the secret is not. */
@Resolver()
export class ApiKeyResolver {
  constructor(
    private readonly em: EntityManager,
    private readonly commands: CommandRunner,
    private readonly deployment: Deployment,
  ) {}

  @Teams('service', 'support', 'operations')
  @Query(() => ApiKeyPage, { description: 'API keys, newest first, revoked and expired ones too. For internal teams.' })
  async apiKeys(
    @Arg('limit', () => Int, { defaultValue: 50, description: '1–100.' }) limit: number,
    @Arg('cursor', () => String, {
      nullable: true,
      description: 'The nextCursor of the previous page, other filters unchanged.',
    })
    cursor: string | undefined,
    @Ctx() { origin: { actor } }: SubgraphContext,
  ): Promise<Page<domain.ApiKey>> {
    requireInternalReader(actor);
    return await listApiKeys(this.em, actor.workspaceId, { limit, cursor });
  }

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
