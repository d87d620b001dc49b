import { ROLES } from '@payroll/kernel';
import {
  enumOf,
  field,
  type Money,
  NULLABLE,
  PageArguments,
  pageType,
  VisibleTo,
  ReadCtx,
  type ServiceDependencies,
  type SubgraphContext,
  TERMS_READERS,
} from '@payroll/service';
import type { Page } from '@payroll/store';
import { Arg, Args, ArgsType, FieldResolver, Int, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { countWaiting, reviewQueue, WORK_KINDS, type WorkKind } from '../queries/review-queue.js';
import { Contract } from './work-fields.js';

const WorkKindEnum = enumOf('WorkKind', WORK_KINDS, 'What is reviewed.');

@VisibleTo({ teams: TERMS_READERS, people: ROLES })
@ObjectType({ description: 'A submitted timesheet or milestone, as a reviewer finds it in the queue.' })
class WaitingWork {
  @field.of(() => WorkKindEnum, 'Which of the two it is.') kind!: WorkKind;
  @field.id('The id of the timesheet or milestone, a UUID.') id!: string;
  @field.id('The contract that the work is done under.') contractId!: string;
  @field.text('Of a milestone.', NULLABLE) title!: string | null;
  @field.day('The first day of the work of a timesheet.', NULLABLE) periodStart!: string | null;
  @field.day('Its last day.', NULLABLE) periodEnd!: string | null;
  @field.decimal('Its hours, days or pieces.', NULLABLE) unitsWorked!: string | null;
  @field.decimal('What each of them pays, in the currency of the amount.', NULLABLE) rate!: string | null;
  @field.money('What its approval pays.') amount!: Money;
  @field.day('When a timesheet is paid; null for a milestone, which is paid at once.', NULLABLE)
  paymentScheduledDate!: string | null;
  @field.boolean('Whether it is paid by itself when it is due, or waits for an admin to pay it.')
  autoPayEnabled!: boolean;
  @field.time('When it was handed in, the last time.') submittedAt!: string;
  @field.text('Stands for all that a reviewer sees; sent back with an approval or rejection.') version!: string;
}

const WaitingWorkPage = pageType(WaitingWork, 'work that waits', TERMS_READERS);

@ArgsType()
class QueueArguments extends PageArguments {
  @field.of(() => WorkKindEnum, 'Only timesheets, or only milestones.', NULLABLE) kind?: WorkKind | null;
  @field.boolean('Sorts by submission: oldest first, or newest first if false.', { defaultValue: true })
  oldestFirst!: boolean;
}

@Resolver(() => WaitingWork)
export class QueueResolver {
  constructor(private readonly parts: Pick<ServiceDependencies, 'em'>) {}

  @VisibleTo({ teams: TERMS_READERS, people: ROLES })
  @Query(() => WaitingWorkPage, {
    description: 'Work of the whole workspace that waits for a review.',
  })
  reviewQueue(
    @Args(() => QueueArguments) filters: QueueArguments,
    @ReadCtx() { origin: { actor } }: SubgraphContext,
  ): Promise<Page<WaitingWork>> {
    return reviewQueue(this.parts.em, actor.workspaceId, filters);
  }

  @VisibleTo({ teams: TERMS_READERS, people: ROLES })
  @Query(() => Int, { description: 'How much waits for a review. Counting ends at 100, which stands for "99+".' })
  reviewQueueCount(
    @Arg('kind', () => WorkKindEnum, { nullable: true, description: 'Only timesheets, or only milestones.' })
    kind: WorkKind | undefined,
    @ReadCtx() { origin: { actor } }: SubgraphContext,
  ): Promise<number> {
    return countWaiting(this.parts.em, actor.workspaceId, kind);
  }

  @FieldResolver(() => Contract, { description: 'The contract that the work is done under.' })
  contract(@Root() work: WaitingWork): Contract {
    return { id: work.contractId };
  }
}
