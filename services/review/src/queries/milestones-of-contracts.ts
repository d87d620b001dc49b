import type { EntityManager } from '@mikro-orm/postgresql';
import { part, readComposed } from '@payroll/store';
import type { Fetch } from '@payroll/subgraph';
import type { Milestone } from '../domain/milestone.js';
import { MILESTONE_COLUMNS, toMilestone, type MilestoneRow } from '../store/to-milestone.js';
import { askedContracts, groupByContract, NEWEST, type OfContract } from './by-contract.js';

/** The newest milestones of each contract, by one statement for all contracts asked for together. */
export function milestonesOfContracts(em: EntityManager): Fetch<Milestone[]> {
  return async (keys) => {
    const rows = await readComposed<MilestoneRow & OfContract>(
      em,
      part`select ${MILESTONE_COLUMNS}, asked.workspace_id as "workspaceId" from ${askedContracts(keys)}
        cross join lateral (
          select * from milestone
          where milestone.workspace_id = asked.workspace_id and milestone.contract_id = asked.contract_id
          order by created_at desc, id desc limit ${NEWEST}
        ) milestone
        order by milestone.created_at desc, milestone.id desc`,
    );
    return groupByContract(rows, toMilestone);
  };
}
