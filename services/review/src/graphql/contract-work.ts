import { TEAMS } from '@payroll/kernel';
import type { EntityManager } from '@mikro-orm/postgresql';
import { loadById, ReadCtx, type SubgraphContext, VisibleTo } from '@payroll/service';
import { FieldResolver, Resolver, Root } from 'type-graphql';
import { newestOfContracts } from '../queries/work-of-contracts.js';
import { milestones, timesheets } from '../store/views.js';
import { Milestone } from './milestone-types.js';
import { Contract } from './work-fields.js';
import { Timesheet } from './timesheet-types.js';

@Resolver(() => Contract)
export class ContractWork {
  private readonly timesheetsOf;
  private readonly milestonesOf;

  constructor(em: EntityManager) {
    this.timesheetsOf = newestOfContracts(em, timesheets);
    this.milestonesOf = newestOfContracts(em, milestones);
  }

  @VisibleTo({ teams: TEAMS })
  @FieldResolver(() => [Timesheet], { description: 'The newest 50; more by timesheets(contractId:).' })
  async timesheets(@Root() contract: Contract, @ReadCtx() reader: SubgraphContext): Promise<Timesheet[]> {
    return (await loadById(reader, this.timesheetsOf, contract.id)) ?? [];
  }

  @VisibleTo({ teams: TEAMS })
  @FieldResolver(() => [Milestone], {
    description: 'The newest 50, those of one draft in their order; more by milestones(contractId:).',
  })
  async milestones(@Root() contract: Contract, @ReadCtx() reader: SubgraphContext): Promise<Milestone[]> {
    return (await loadById(reader, this.milestonesOf, contract.id)) ?? [];
  }
}
