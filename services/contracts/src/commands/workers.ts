import { INTERNAL, newId, notFound, refuseProblems } from '@payroll/kernel';
import { defineCommand, sql } from '@payroll/store';
import { problemsOfWorker, type NewWorker } from '../domain/worker.js';
import { WorkerTable } from '../store/tables.js';

export const registerWorker = defineCommand('worker.register', INTERNAL, async (tx, { name, email }: NewWorker) => {
  refuseProblems(problemsOfWorker({ name, email }), 'A worker has a name and an e-mail address.');
  const worker = tx.insert(WorkerTable, {
    workspaceId: tx.workspaceId,
    id: newId(),
    name,
    email,
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  tx.audit('worker.registered', worker.id, { name, email });
  return { id: worker.id, name, email };
});

/** What is not given stays. */
type WorkerChange = { [Name in keyof NewWorker]?: NewWorker[Name] | null | undefined } & { id: string };

/** A contract shows its worker's name, so a new name moves `updatedAt` of the worker's contracts for pollers. */
export const updateWorker = defineCommand('worker.update', INTERNAL, async (tx, input: WorkerChange) => {
  const worker = await tx.lock(WorkerTable, input.id);
  if (!worker) throw notFound('The worker');
  const before = { name: worker.name, email: worker.email };
  const after = { name: input.name ?? before.name, email: input.email ?? before.email };
  refuseProblems(problemsOfWorker(after), 'A worker has a name and an e-mail address.');
  const isRenamed = after.name !== before.name;
  if (isRenamed || after.email !== before.email) {
    tx.update(WorkerTable, worker, { ...after, updatedAt: tx.now });
    tx.audit('worker.updated', worker.id, { from: before, to: after });
    if (isRenamed) {
      tx.write(sql`update contract set updated_at = ${tx.now}
        where workspace_id = ${tx.workspaceId} and worker_id = ${worker.id}`);
    }
  }
  return { id: worker.id, ...after };
});
