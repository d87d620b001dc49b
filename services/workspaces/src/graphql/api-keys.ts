import { newApiKey } from '@payroll/admission';
import {
  derivedId,
  invalid,
  ADMINS_OR_INTERNAL,
  newId,
  SCOPES,
  type Actor,
  type Scope,
  type Origin,
} from '@payroll/kernel';
import type { Command } from '@payroll/commands';
import type { DeploymentName } from '@payroll/runtime';
import {
  field,
  IdArg,
  NULLABLE,
  MutationCtx,
  PageArguments,
  pageType,
  VisibleTo,
  type ServiceDependencies,
  Timestamp,
} from '@payroll/service';
import type { Page } from '@payroll/store';
import { Arg, Args, ID, InputType, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { createApiKey, revokeApiKey, rotateApiKey } from '../commands/api-keys.js';
import { findApiKey, listApiKeys } from '../queries/credentials.js';
import { ReaderOf, SUPPORTERS } from './readers.js';

@VisibleTo({ teams: SUPPORTERS, people: ['admin'] })
@ObjectType({ description: 'A credential for /v1 that acts as a member.' })
class ApiKey {
  @field.id('Its id, a UUID.') id!: string;
  @field.text('What its maker called it.') name!: string;
  @field.id('Idempotency keys and external references belong to it; kept over rotation.') principalId!: string;
  @field.id('The membership that it acts as.') memberId!: string;
  @field.text('Who that is.') memberName!: string;
  @field.of(() => [String], `Of ${SCOPES.join(', ')}.`) scopes!: readonly string[];
  @field.time('From then on it opens nothing.') expiresAt!: string;
  @field.time('When it was revoked; null unless it was.', NULLABLE) revokedAt!: string | null;
  @field.time('To the minute; null when it has never been used.', NULLABLE) lastUsedAt!: string | null;
  @field.time('When it was made.') createdAt!: string;
}

const ApiKeyPage = pageType(ApiKey, 'API keys', SUPPORTERS);

@VisibleTo({ teams: ['service'], people: ['admin'] })
@ObjectType({ description: 'A key that was made, with its secret.' })
class CreatedApiKey {
  @field.of(() => ApiKey, 'The key, without its secret.') apiKey!: ApiKey;
  @field.text(
    'Shown this once, and stored nowhere. Null where the operation made its key before: revoke that key and make another.',
    NULLABLE,
  )
  secret!: string | null;
}

@InputType({ description: 'A new key: for whom, what it may do and until when.' })
class ApiKeyInput {
  @field.id('The member it acts as.') memberId!: string;
  @field.text('1–200 characters.') name!: string;
  @field.of(() => [String], `Of ${SCOPES.join(', ')}; no more than the member's role allows.`) scopes!: string[];
  @field.time('In the future.') expiresAt!: string;
}

@Resolver()
export class ApiKeyResolver {
  constructor(
    private readonly parts: Pick<ServiceDependencies, 'em' | 'commands'>,
    private readonly deployment: DeploymentName,
  ) {}

  @VisibleTo({ teams: SUPPORTERS, people: ['admin'] })
  @Query(() => ApiKeyPage, { description: 'API keys, newest first, revoked and expired ones too.' })
  apiKeys(
    @Args(() => PageArguments) request: PageArguments,
    @ReaderOf(ADMINS_OR_INTERNAL) { workspaceId }: Actor,
  ): Promise<Page<ApiKey>> {
    return listApiKeys(this.parts.em, workspaceId, request);
  }

  @VisibleTo({ teams: SUPPORTERS, people: ['admin'] })
  @Query(() => ApiKey, { description: 'One key, revoked and expired ones too.' })
  apiKey(@IdArg('key') id: string, @ReaderOf(ADMINS_OR_INTERNAL) { workspaceId }: Actor): Promise<ApiKey> {
    return findApiKey(this.parts.em, workspaceId, id);
  }

  @VisibleTo({ teams: ['service'] })
  @Mutation(() => CreatedApiKey, {
    description: 'Makes a key. If the answer is lost, revoke the key and make another.',
  })
  createApiKey(
    @Arg('input', () => ApiKeyInput, { description: 'The key to make.' }) input: ApiKeyInput,
    @MutationCtx() origin: Origin,
  ): Promise<CreatedApiKey> {
    return this.make(createApiKey, { ...input, scopes: input.scopes.map(scopeOf) }, origin);
  }

  @VisibleTo({ teams: ['service'] })
  @Mutation(() => CreatedApiKey, {
    description: 'A new key for the same principal. The old one lives until it is revoked; a revoked one has no other.',
  })
  rotateApiKey(
    @Arg('id', () => ID, { description: 'The key that the new one takes the place of.' }) replaces: string,
    @Arg('expiresAt', () => Timestamp, { description: 'Of the new key; in the future.' }) expiresAt: string,
    @MutationCtx() origin: Origin,
  ): Promise<CreatedApiKey> {
    return this.make(rotateApiKey, { replaces, expiresAt }, origin);
  }

  @VisibleTo({ teams: SUPPORTERS })
  @Mutation(() => ApiKey, { description: 'For ever, from the next request on.' })
  revokeApiKey(@IdArg('key') id: string, @MutationCtx() origin: Origin): Promise<ApiKey> {
    return this.parts.commands.run(revokeApiKey, { id }, origin);
  }

  /**
   * Derives the key's id from the operation id: a repeated operation has the same input, and its new secret is never
   * valid.
   */
  private async make<Input>(
    command: (secretHash: string) => Command<Input & { id: string }, ApiKey>,
    input: Input,
    origin: Origin,
  ): Promise<CreatedApiKey> {
    const { actor, operationId = newId() } = origin;
    const { workspaceId, principalId } = actor;
    const madeId = derivedId('api-key', workspaceId, principalId, operationId.toLowerCase());
    const { id, hash, text } = newApiKey(this.deployment, madeId);
    let secret: string | null = text;
    const onReplay = (): void => {
      secret = null;
      origin.onReplay?.();
    };
    const once = { ...origin, operationId, onReplay };
    const apiKey = await this.parts.commands.run(command(hash), { ...input, id }, once);
    return { apiKey, secret };
  }
}

function scopeOf(text: string): Scope {
  const scope = SCOPES.find((each) => each === text);
  if (scope) return scope;
  throw invalid('scopes', 'unknown', `scopes must be of ${SCOPES.join(', ')}.`);
}
