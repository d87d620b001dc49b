import type { EntityManager } from '@mikro-orm/postgresql';
import {
  EVERYBODY,
  EVERY_MEMBER,
  field,
  loadById,
  People,
  Reader,
  type SubgraphContext,
  Teams,
} from '@payroll/service';
import { Directive, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import { newestOfContracts } from '../queries/work-of-contracts.js';
import { milestones } from '../store/milestones.js';
import { timesheets } from '../store/timesheets.js';
import { Milestone } from './milestone-types.js';
import { Timesheet } from './timesheet-types.js';

@Teams(...EVERYBODY)
@People(...EVERY_MEMBER)
@Directive('@key(fields: "id")')
@ObjectType({ description: 'The contract whose work this is; owned by the contracts service.' })
export class Contract {
  @field.id('Its id, a UUID.') id!: string;
}

@Teams(...EVERYBODY)
@People(...EVERY_MEMBER)
@Directive('@key(fields: "id", resolvable: false)')
@ObjectType({ description: 'The payment an approval created; owned by the payments service.' })
export class Payment {
  @field.id('Its id, a UUID.') id!: string;
}

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
