import 'reflect-metadata';
import { DomainError, newId, SCOPES, type Origin } from '@payroll/kernel';
import { CalendarDate, Decimal, Timestamp } from '../../src/graphql/scalars.js';
import { keyOf, loadById, type EntityKey, type BatchFetch, type SubgraphContext } from '../../src/graphql/context.js';
import {
  Arg,
  Ctx,
  Directive,
  Field,
  ID,
  Int,
  Mutation,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
} from 'type-graphql';

enum Shade {
  Light = 'light',
}
registerEnumType(Shade, { name: 'Shade' });

@Directive('@key(fields: "id")')
@ObjectType()
class Thing {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  workspaceId!: string;
}

@Directive('@key(fields: "id")')
@ObjectType()
class Place {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  workspaceId!: string;
}

/** Rows in memory, and every fetch of them. */
export class Store {
  readonly rows = new Map<string, EntityKey>();
  readonly fetches: (readonly EntityKey[])[] = [];

  add(workspaceId: string, id = newId()): string {
    this.rows.set(keyOf({ workspaceId, id }), { workspaceId, id });
    return id;
  }

  readonly fetch: BatchFetch<EntityKey> = (keys) => {
    this.fetches.push(keys);
    return Promise.resolve(new Map([...this.rows].filter(([key]) => keys.some((each) => keyOf(each) === key))));
  };
}

@Resolver()
export class Things {
  /** The error that `fails` throws. */
  error: unknown;
  /** The promise that `waits` awaits. */
  waitsFor: Promise<void> | undefined;

  constructor(
    private readonly things: Store,
    private readonly places: Store,
  ) {}

  @Query(() => Thing, { nullable: true })
  thing(@Arg('id', () => ID) id: string, @Ctx() context: SubgraphContext): Promise<EntityKey | null> {
    return loadById(context, this.things.fetch, id);
  }

  @Query(() => Place, { nullable: true })
  place(@Arg('id', () => ID) id: string, @Ctx() context: SubgraphContext): Promise<EntityKey | null> {
    return loadById(context, this.places.fetch, id);
  }

  @Query(() => String, { nullable: true })
  fails(): string {
    throw this.error;
  }

  @Query(() => String)
  async waits(): Promise<string> {
    await this.waitsFor;
    return 'long';
  }

  @Query(() => String)
  missing(): string {
    return null as unknown as string;
  }

  @Mutation(() => String)
  change(@Arg('what', () => String) what: string): string {
    return what;
  }

  /** As for a command: applied, replayed, or refused with or without a record. */
  @Mutation(() => String, { nullable: true })
  decide(@Arg('outcome', () => String) outcome: string, @Ctx() { origin }: SubgraphContext): string {
    if (outcome === 'replayed') origin.onReplay?.();
    if (outcome === 'recorded') origin.onRefusalRecorded?.();
    if (outcome === 'recorded' || outcome === 'refused') throw new DomainError('INVALID_STATE', 'Not now.');
    return outcome;
  }

  @Query(() => Shade, { nullable: true })
  shade(): string {
    return 'a secret shade';
  }

  @Query(() => String, { nullable: true })
  page(@Arg('limit', () => Int, { defaultValue: 50 }) limit: number): string {
    return String(limit);
  }

  @Query(() => String)
  echo(
    @Arg('at', () => Timestamp, { nullable: true }) at: string | undefined,
    @Arg('on', () => CalendarDate, { nullable: true }) on: string | undefined,
    @Arg('amount', () => Decimal, { nullable: true }) amount: string | undefined,
  ): string {
    return [at, on, amount].filter((value) => value !== undefined).join(' ');
  }
}

export function originOf(workspaceId: string): Origin {
  const actor = { kind: 'api_key', principalId: newId(), workspaceId, role: 'admin', scopes: SCOPES } as const;
  return { actor, via: 'rest', requestId: 'req_test' };
}

export const REFUSAL = new DomainError('RATE_LIMITED', 'Slower, please.', {
  details: [{ path: 'a.b', code: 'too_many' }],
  retryAfterSeconds: 7,
});
