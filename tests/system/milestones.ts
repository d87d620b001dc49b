import { instruct, ask, type GraphqlAccess } from '@payroll/tools/demo/graphql-client';
import { MILESTONES_OF, REQUEST_FUNDING, SUBMIT_MILESTONE, transferOf } from '@payroll/tools/demo/operations';
import { payTo } from '@payroll/tools/demo/seed-payments';
import { contractIn, registerWorker, type Submitted } from '@payroll/tools/demo/steps';

/** Submitted milestones of a worker who can be paid at once, with the funds for them. */
export async function submittedMilestones(access: GraphqlAccess, count: number): Promise<Submitted[]> {
  const worker = await registerWorker(access, `Mona Milestone ${crypto.randomUUID()}`, 'example.com');
  await payTo(access, worker.id, 'DE89 3704 0044 0532 0130 00');
  await instruct(access, REQUEST_FUNDING, transferOf(String(count * 100), 'EUR'));
  const contractId = await contractIn(
    access,
    worker,
    {
      title: 'Paid by milestones',
      contractType: 'contractor_milestone',
      startDate: '2026-01-01',
      compensation: { type: 'milestone', currency: 'EUR' },
      milestones: Array.from({ length: count }, (_, n) => ({ title: `Step ${n + 1}`, amount: '100' })),
    },
    'active',
  );
  const { nodes } = await ask<{ nodes: { id: string }[] }>(access, MILESTONES_OF, { id: contractId });
  return await Promise.all(nodes.map(({ id }) => ask<Submitted>(access, SUBMIT_MILESTONE, { id })));
}
