import type { EntityManager } from '@mikro-orm/postgresql';
import { readByKeys } from '@payroll/store';
import { keyOf, type Fetch } from '@payroll/subgraph';
import type { Milestone } from '../domain/milestone.js';
import { MILESTONE_COLUMNS, toMilestone, type MilestoneRow } from '../store/to-milestone.js';

export function milestonesById(em: EntityManager): Fetch<Milestone> {
  return async (keys) => {
    const rows = await readByKeys<MilestoneRow>(em, 'milestone', MILESTONE_COLUMNS, keys);
    return new Map(rows.map((row) => [keyOf(row), toMilestone(row)]));
  };
}
