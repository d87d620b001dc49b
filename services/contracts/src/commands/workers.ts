import {
  DomainError,
  EDITORS_OR_INTERNAL,
  newId,
  requireFound,
  throwIfInvalid,
  requireInternal,
  type Actor,
  isMember,
} from '@payroll/kernel';
import { defineCommand } from '@payroll/commands';
import { sql } from '@payroll/store';
import { problemsOfWorker, type NewWorker } from '../domain/worker.js';
import { WorkerTable } from '../store/tables.js';
import { requireExpectedRevision, type ExpectedRevision } from './contract-record.js';

export const registerWorker = defineCommand('worker.register', {
  who: EDITORS_OR_INTERNAL,
  decide: async (tx, { name, email }: NewWorker) => {
    throwIfInvalid(problemsOfWorker({ name, email }), 'The name or email address of the worker is not valid.');
    const worker = tx.insert(WorkerTable, { id: newId(), revision: 1, name, email });
    tx.audit('worker.registered', worker.id, { name, email });
    return { id: worker.id, revision: 1, name, email, createdAt: tx.now };
  },
});

/** Omitted fields keep their value. */
type WorkerChange = ExpectedRevision & { [Name in keyof NewWorker]?: NewWorker[Name] | null | undefined } & {
  id: string;
};

/** A contract shows its worker's name, so a new name moves `updatedAt` of the worker's contracts for pollers. */
export const updateWorker = defineCommand('worker.update', {
  who: EDITORS_OR_INTERNAL,
  decide: async (tx, input: WorkerChange) => {
    const worker = requireFound(await tx.lock(WorkerTable, input.id), 'The worker');
    requireExpectedRevision(tx, worker, input);
    const before = { name: worker.name, email: worker.email };
    const after = { name: input.name ?? before.name, email: input.email ?? before.email };
    throwIfInvalid(problemsOfWorker(after), 'The name or email address of the worker is not valid.');
    if (after.email !== before.email) requireAddressKeeper(tx.origin.actor);
    const { id, revision, createdAt } = worker;
    const isRenamed = after.name !== before.name;
    if (!isRenamed && after.email === before.email) return { id, revision, createdAt, ...before };
    tx.update(WorkerTable, worker, { ...after, revision: revision + 1, updatedAt: tx.now });
    tx.audit('worker.updated', id, { from: before, to: after });
    if (isRenamed) {
      tx.write(sql`update contract set updated_at = ${tx.now}
      where workspace_id = ${tx.workspaceId} and worker_id = ${id}`);
    }
    return { id, revision: revision + 1, createdAt, ...after };
  },
});

/** Texts to be signed are sent to this address, so among members only admins may change it. */
function requireAddressKeeper(actor: Actor): void {
  if (!isMember(actor)) return requireInternal(actor);
  if (actor.role === 'admin') return;
  throw new DomainError('INSUFFICIENT_SCOPE', 'Only admins can change the email address of a worker. Ask one of them.');
}
