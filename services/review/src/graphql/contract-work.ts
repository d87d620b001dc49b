import 'reflect-metadata';
import type { EntityManager } from '@mikro-orm/postgresql';
import { EVERYBODY, loadById, Reader, type SubgraphContext, Teams } from '@payroll/subgraph';
import { FieldResolver, Resolver, Root } from 'type-graphql';
import { newestOfContracts } from '../queries/newest-of-contracts.js';
import { milestones } from '../store/milestones.js';
import { timesheets } from '../store/timesheets.js';
import { Milestone } from './milestone-types.js';
import { Contract } from './shared-types.js';
import { Timesheet } from './timesheet-types.js';

@Resolver(() => Contract)
export class ContractWork {
  private readonly timesheetsOf;
  private readonly milestonesOf;

  constructor(em: EntityManager) {
    this.timesheetsOf = newestOfContracts(em, timesheets);
    this.milestonesOf = newestOfContracts(em, milestones);
  }

  @Teams(...EVERYBODY)
  @FieldResolver(() => [Timesheet], { description: 'The newest 50; more by timesheets(contractId:).' })
  async timesheets(@Root() contract: Contract, @Reader() reader: SubgraphContext): Promise<Timesheet[]> {
    return (await loadById(reader, this.timesheetsOf, contract.id)) ?? [];
  }

  @Teams(...EVERYBODY)
  @FieldResolver(() => [Milestone], {
    description: 'The newest 50, those of one draft in their order; more by milestones(contractId:).',
  })
  async milestones(@Root() contract: Contract, @Reader() reader: SubgraphContext): Promise<Milestone[]> {
    return (await loadById(reader, this.milestonesOf, contract.id)) ?? [];
  }
}
