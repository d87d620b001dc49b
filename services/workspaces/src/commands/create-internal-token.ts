import { refuseProblems, requireInternal, type Instant } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { problemsOfName } from '../domain/problems.js';
import type { Team } from '../domain/workspace.js';
import { InternalTokenTable } from '../store/tables.js';

/** Internal tokens belong to no workspace: what is done about them is told under this one, which is nobody's. */
export const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000';

export interface CreateInternalToken {
  id: string;
  secretHash: string;
  /** Who uses it. */
  name: string;
  team: Team;
  expiresAt: Instant;
}

/** A token for the internal GraphQL endpoint. */
export const createInternalToken = defineCommand(
  'internal-token.create',
  (tx, { id, secretHash, name, team, expiresAt }: CreateInternalToken): Promise<void> => {
    requireInternal(tx.origin.actor);
    refuseProblems(problemsOfName('name', name), 'The name is a text of 1 to 200 characters.');
    tx.em.persist(
      tx.em.create(InternalTokenTable, { id, name, team, secretHash, expiresAt, revokedAt: null, createdAt: tx.now }),
    );
    tx.audit('internal-token.created', id, { name, team, expiresAt });
    return Promise.resolve();
  },
);
