import { INTERNAL, newId, refuseProblems } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { problemsOfWorker, type Worker } from '../domain/worker.js';
import { WorkerTable } from '../store/tables.js';

export interface RegisterWorker {
  name: string;
  email: string;
}

export const registerWorker = defineCommand(
  'worker.register',
  INTERNAL,
  async (tx, { name, email }: RegisterWorker): Promise<Worker> => {
    refuseProblems(problemsOfWorker({ name, email }), 'A worker has a name and an e-mail address.');
    const worker = tx.em.create(WorkerTable, {
      workspaceId: tx.workspaceId,
      id: newId(),
      name,
      email,
      createdAt: tx.now,
      updatedAt: tx.now,
    });
    tx.em.persist(worker);
    tx.audit('worker.registered', worker.id, { name, email });
    return { id: worker.id, name, email };
  },
);
