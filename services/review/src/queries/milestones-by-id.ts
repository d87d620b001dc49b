import type { EntityManager } from '@mikro-orm/postgresql';
import { keyOf, type Fetch } from '@payroll/subgraph';
import { sql } from 'kysely';
import type { Milestone } from '../domain/milestone.js';
import type { ReviewRows } from '../store/schema.js';
import { MILESTONE_COLUMNS, toMilestone } from '../store/to-milestone.js';

export function milestonesById(em: EntityManager): Fetch<Milestone> {
  return async (keys) => {
    const rows = await em
      .getKysely<ReviewRows>()
      .selectFrom('milestone')
      .where(
        sql<boolean>`(workspace_id, id) in (
          select * from unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.id)}::uuid[]))`,
      )
      .select(MILESTONE_COLUMNS)
      .select('milestone.workspace_id as workspaceId')
      .execute();
    return new Map(rows.map((row) => [keyOf(row), toMilestone(row)]));
  };
}
