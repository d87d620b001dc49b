import { newApiKey, type Deployment } from '@payroll/admission';
import { DomainError, SCOPES, type Scope } from '@payroll/kernel';
import type { ServiceParts } from '@payroll/service';
import type { Page } from '@payroll/store';
import {
  field,
  IdOf,
  NULLABLE,
  type Operation,
  OperationOf,
  PageArguments,
  pageOf,
  type SubgraphContext,
  Teams,
  Timestamp,
} from '@payroll/subgraph';
import { Arg, Args, Ctx, ID, InputType, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { createApiKey, revokeApiKey, rotateApiKey } from '../commands/api-keys.js';
import { listApiKeys } from '../queries/credentials.js';
import { InternalReader, SUPPORTERS } from './internal-teams.js';

@Teams(...SUPPORTERS)
@ObjectType({ description: 'A credential for /v1 that acts as a member.' })
class ApiKey {
  @field.id('Its id, a UUID.') id!: string;
  @field.text('What its maker called it.') name!: string;
  @field.id('Idempotency keys and external references belong to it; kept over rotation.') principalId!: string;
  @field.id('The membership that it acts as.') memberId!: string;
  @field.of(() => [String], `Of ${SCOPES.join(', ')}.`) scopes!: readonly string[];
  @field.time('From then on it opens nothing.') expiresAt!: string;
  @field.time('When it was revoked; null unless it was.', NULLABLE) revokedAt!: string | null;
  @field.time('To the minute; null when it has never been used.', NULLABLE) lastUsedAt!: string | null;
  @field.time('When it was made.') createdAt!: string;
}

const ApiKeyPage = pageOf(ApiKey, 'API keys', SUPPORTERS);

@Teams('service')
@ObjectType({ description: 'A key just made, with its secret.' })
class CreatedApiKey {
  @field.of(() => ApiKey, 'The key, without its secret.') apiKey!: ApiKey;
  @field.text('Shown this once; it cannot be retrieved later.') secret!: string;
}

@InputType({ description: 'A new key: for whom, what it may do and until when.' })
class ApiKeyInput {
  @field.id('The member it acts as.') memberId!: string;
  @field.text('1–200 characters.') name!: string;
  @field.of(() => [String], `Of ${SCOPES.join(', ')}; no more than the member's role allows.`) scopes!: string[];
  @field.time('In the future.') expiresAt!: string;
}

/** Mutations that show a secret take no operationId: replaying a result needs it kept, and the secret is not. */
@Resolver()
export class ApiKeyResolver {
  constructor(
    private readonly parts: Pick<ServiceParts, 'em' | 'commands'>,
    private readonly deployment: Deployment,
  ) {}

  @Teams(...SUPPORTERS)
  @Query(() => ApiKeyPage, { description: 'API keys, newest first, revoked and expired ones too. For internal teams.' })
  apiKeys(
    @Args(() => PageArguments) request: PageArguments,
    @InternalReader() workspaceId: string,
  ): Promise<Page<ApiKey>> {
    return listApiKeys(this.parts.em, workspaceId, request);
  }

  @Teams('service')
  @Mutation(() => CreatedApiKey, {
    description: 'Makes a key. If the answer is lost, revoke the key and make another.',
  })
  async createApiKey(
    @Arg('input', () => ApiKeyInput, { description: 'The key to make.' }) input: ApiKeyInput,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<CreatedApiKey> {
    const { id, hash, text } = newApiKey(this.deployment);
    const proved = { ...input, id, secretHash: hash, scopes: input.scopes.map(scopeOf) };
    return { apiKey: await this.parts.commands.run(createApiKey, proved, origin), secret: text };
  }

  @Teams('service')
  @Mutation(() => CreatedApiKey, {
    description: 'A new key for the same principal. The old one lives until it is revoked; a revoked one has no other.',
  })
  async rotateApiKey(
    @Arg('id', () => ID, { description: 'The key that the new one takes the place of.' }) replaces: string,
    @Arg('expiresAt', () => Timestamp, { description: 'Of the new key; in the future.' }) expiresAt: string,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<CreatedApiKey> {
    const { id, hash, text } = newApiKey(this.deployment);
    const input = { replaces, id, secretHash: hash, expiresAt };
    return { apiKey: await this.parts.commands.run(rotateApiKey, input, origin), secret: text };
  }

  @Teams(...SUPPORTERS)
  @Mutation(() => ApiKey, { description: 'For ever, from the next request on.' })
  revokeApiKey(@IdOf('key') id: string, @OperationOf() { origin, operationId }: Operation): Promise<ApiKey> {
    return this.parts.commands.run(revokeApiKey, { id }, origin, operationId);
  }
}

function scopeOf(text: string): Scope {
  const scope = SCOPES.find((each) => each === text);
  if (scope) return scope;
  throw new DomainError('VALIDATION_FAILED', `scopes are of ${SCOPES.join(', ')}.`, {
    details: [{ path: 'scopes', code: 'unknown' }],
  });
}
