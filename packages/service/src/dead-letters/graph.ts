import type { EntityManager } from '@mikro-orm/postgresql';
import { requireInternal, type ServiceName, type Origin } from '@payroll/kernel';
import { type Commands, DEAD_LETTER_STATES, DEAD_LETTER_STEPS } from '@payroll/commands';
import type { Page } from '@payroll/store';
import * as field from '../graphql/fields.js';
import { enumOf, NULLABLE } from '../graphql/fields.js';
import { IdArg, MutationCtx, PageArguments, pageType, ReadCtx } from '../graphql/arguments.js';
import { type SubgraphContext } from '../graphql/context.js';
import { VisibleTo } from '../graphql/permissions.js';
import { Arg, Args, ArgsType, Directive, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { putBackLetter, putLetterAside } from './handle-letter.js';
import type * as letters from './letters.js';
import { listLetters } from './letters.js';

const READERS = ['support', 'operations', 'finance'] as const;

const StateEnum = enumOf('DeadLetterState', DEAD_LETTER_STATES, 'Whether a dead letter waits for a person.');
const StepEnum = enumOf('DeadLetterStepKind', DEAD_LETTER_STEPS, 'What can happen to a dead letter.');

@VisibleTo({ teams: READERS })
@Directive('@shareable')
@ObjectType({ description: 'Something that happened to a dead letter.' })
class DeadLetterStep {
  @field.of(() => StepEnum, 'What happened.') step!: letters.DeadLetterStep['step'];
  @field.time('When.') at!: string;
  @field.text('The person, by email address; null where the service did it.', NULLABLE) by!: string | null;
  @field.text('Why a person did it, or why it could not be applied.', NULLABLE) reason!: string | null;
}

@VisibleTo({ teams: READERS })
@Directive('@shareable')
@ObjectType({ description: 'An event that a service could not apply and keeps for a person.' })
class DeadLetter {
  @field.id('The id of the event, a UUID.') id!: string;
  @field.text('The type of the event.') type!: string;
  @field.text('The service that published it; null where no service knows such a type.', NULLABLE) publisher!:
    | string
    | null;
  @field.text('The service that could not apply it.') consumer!: string;
  @field.of(() => StateEnum, 'Whether it waits for a person.') state!: letters.DeadLetterState;
  @field.text('Why it could not be applied, the last time.') reason!: string;
  @field.id('What the event is about, such as a payment.', NULLABLE) aboutId!: string | null;
  @field.time('When that changed.', NULLABLE) occurredAt!: string | null;
  @field.time('When it became a dead letter.') buriedAt!: string;
  @field.text('Leads to the request in every log.', NULLABLE) requestId!: string | null;
  @field.text('Leads to the trace, where there is one.', NULLABLE) traceId!: string | null;
  @VisibleTo({ teams: ['operations', 'finance'] })
  @field.text('The event, as JSON.')
  event!: string;
  @field.of(() => [DeadLetterStep], 'All that has happened to it, oldest first.') story!: DeadLetterStep[];
}

const DeadLetterPage = pageType(DeadLetter, 'dead letters', READERS, 'DeadLetterPage');
Directive('@shareable')(DeadLetterPage);

@ArgsType()
class LetterListArguments extends PageArguments {
  @field.of(() => StateEnum, 'Only those in this state.', NULLABLE) state?: letters.DeadLetterState | null;
  @field.id('Only what is about this thing.', NULLABLE) aboutId?: string | null;
}

const Reason = Arg('reason', () => String, { description: 'Why nothing is to be done about it, 1–500 characters.' });

/** `<service>DeadLetters` and two mutations: each service has dead letters of its own. */
export function deadLetters(service: ServiceName, em: EntityManager, commands: Commands): object {
  @Resolver()
  class DeadLetters {
    @VisibleTo({ teams: READERS })
    @Query(() => DeadLetterPage, {
      name: `${service}DeadLetters`,
      description: `Events that ${service} could not apply, newest first. For internal teams.`,
    })
    list(
      @Args(() => LetterListArguments) filters: LetterListArguments,
      @ReadCtx() { origin: { actor } }: SubgraphContext,
    ): Promise<Page<DeadLetter>> {
      requireInternal(actor);
      return listLetters(em, service, actor.workspaceId, filters);
    }

    @VisibleTo({ teams: ['operations'] })
    @Mutation(() => DeadLetter, {
      name: `${service}PutBackDeadLetter`,
      description: `${service} tries once more to apply the event, within seconds. If that fails, it is a dead letter again.`,
    })
    putBack(@IdArg('event') id: string, @MutationCtx() origin: Origin): Promise<DeadLetter> {
      return commands.run(putBackLetter, { service, id }, origin);
    }

    @VisibleTo({ teams: ['operations'] })
    @Mutation(() => DeadLetter, {
      name: `${service}PutAsideDeadLetter`,
      description: 'Nothing is done about the event and no alert counts it. It is kept and can still be put back.',
    })
    putAside(@IdArg('event') id: string, @Reason reason: string, @MutationCtx() origin: Origin): Promise<DeadLetter> {
      return commands.run(putLetterAside, { service, id, reason }, origin);
    }
  }
  return new DeadLetters();
}
