import type { EntityManager } from '@mikro-orm/postgresql';
import { part } from '@payroll/store';
import type { Fetch } from '@payroll/subgraph';
import type { Milestone } from '../domain/milestone.js';
import { MILESTONE_COLUMNS, toMilestone } from '../store/to-milestone.js';
import { newestOfContracts } from './newest-of-contracts.js';

export function milestonesOfContracts(em: EntityManager): Fetch<Milestone[]> {
  return newestOfContracts(em, { table: part`milestone`, columns: MILESTONE_COLUMNS, toWork: toMilestone });
}
