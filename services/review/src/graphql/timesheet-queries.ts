import 'reflect-metadata';
import type { EntityManager } from '@mikro-orm/postgresql';
import { requireScope } from '@payroll/kernel';
import type { Page } from '@payroll/store';
import { EVERYBODY, type Fetch, loadById, type SubgraphContext, Teams } from '@payroll/subgraph';
import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import type * as domain from '../domain/timesheet.js';
import { listTimesheets } from '../queries/list-timesheets.js';
import { TimesheetListArguments } from './list-arguments.js';
import { Contract, Payment, Timesheet, TimesheetPage } from './types.js';

@Resolver(() => Timesheet)
export class TimesheetQueries {
  constructor(
    private readonly em: EntityManager,
    private readonly byId: Fetch<domain.Timesheet>,
  ) {}

  @Teams(...EVERYBODY)
  @Query(() => Timesheet, { nullable: true, description: 'One timesheet; null when there is none in this workspace.' })
  async timesheet(
    @Arg('id', () => ID, { description: 'The id of the timesheet.' }) id: string,
    @Ctx() context: SubgraphContext,
  ): Promise<domain.Timesheet | null> {
    requireScope(context.origin.actor, 'read');
    return await loadById(context, this.byId, id);
  }

  @Teams(...EVERYBODY)
  @Query(() => TimesheetPage, { description: 'Timesheets, newest first; with updatedSince, oldest change first.' })
  async timesheets(
    @Args(() => TimesheetListArguments) filters: TimesheetListArguments,
    @Ctx() { origin: { actor } }: SubgraphContext,
  ): Promise<Page<domain.Timesheet>> {
    requireScope(actor, 'read');
    return await listTimesheets(this.em, actor.workspaceId, filters);
  }

  @FieldResolver(() => Contract, { description: 'The contract that the work is done under.' })
  contract(@Root() timesheet: domain.Timesheet): Contract {
    return { id: timesheet.contractId };
  }

  @FieldResolver(() => Payment, { description: 'What the approval has created; null until then.', nullable: true })
  payment(@Root() timesheet: domain.Timesheet): Payment | null {
    return timesheet.paymentId === null ? null : { id: timesheet.paymentId };
  }
}
