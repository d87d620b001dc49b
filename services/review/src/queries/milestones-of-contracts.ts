import type { EntityManager } from '@mikro-orm/postgresql';
import type { Fetch } from '@payroll/subgraph';
import type { Milestone } from '../domain/milestone.js';
import type { ReviewRows } from '../store/schema.js';
import { MILESTONE_COLUMNS, toMilestone } from '../store/to-milestone.js';
import { askedContracts, groupByContract, NEWEST } from './by-contract.js';

/** The newest milestones of each contract, by one statement for all contracts asked for together. */
export function milestonesOfContracts(em: EntityManager): Fetch<Milestone[]> {
  return async (keys) => {
    const rows = await em
      .getKysely<ReviewRows>()
      .selectFrom(askedContracts(keys))
      .innerJoinLateral(
        (each) =>
          each
            .selectFrom('milestone')
            .whereRef('milestone.workspace_id', '=', 'asked.workspace_id')
            .whereRef('milestone.contract_id', '=', 'asked.contract_id')
            .selectAll()
            .orderBy('created_at', 'desc')
            .orderBy('id', 'desc')
            .limit(NEWEST)
            .as('milestone'),
        (join) => join.onTrue(),
      )
      .select(MILESTONE_COLUMNS)
      .select('asked.workspace_id as workspaceId')
      .orderBy('milestone.created_at', 'desc')
      .orderBy('milestone.id', 'desc')
      .execute();
    return groupByContract(rows, toMilestone);
  };
}
