import 'reflect-metadata';
import { requireScope } from '@payroll/kernel';
import { EVERYBODY, type Fetch, loadById, type SubgraphContext, Teams } from '@payroll/subgraph';
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type * as milestones from '../domain/milestone.js';
import type * as timesheets from '../domain/timesheet.js';
import { Milestone } from './milestone-types.js';
import { Contract, Timesheet } from './types.js';

@Resolver(() => Contract)
export class ContractWork {
  constructor(
    private readonly timesheetsOf: Fetch<timesheets.Timesheet[]>,
    private readonly milestonesOf: Fetch<milestones.Milestone[]>,
  ) {}

  @Teams(...EVERYBODY)
  @FieldResolver(() => [Timesheet], { description: 'The newest 50; more by timesheets(contractId:).' })
  async timesheets(@Root() contract: Contract, @Ctx() context: SubgraphContext): Promise<timesheets.Timesheet[]> {
    requireScope(context.origin.actor, 'read');
    return (await loadById(context, this.timesheetsOf, contract.id)) ?? [];
  }

  @Teams(...EVERYBODY)
  @FieldResolver(() => [Milestone], {
    description: 'The newest 50, those of one draft in their order; more by milestones(contractId:).',
  })
  async milestones(@Root() contract: Contract, @Ctx() context: SubgraphContext): Promise<milestones.Milestone[]> {
    requireScope(context.origin.actor, 'read');
    return (await loadById(context, this.milestonesOf, contract.id)) ?? [];
  }
}
