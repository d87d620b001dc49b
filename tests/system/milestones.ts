import { instruct, type GraphqlAccess } from '@payroll/tools/demo/graphql-client';
import { REQUEST_FUNDING, transferOf } from '@payroll/tools/demo/operations';
import { payTo } from '@payroll/tools/demo/seed-payments';
import { byMilestone, contractIn, registerWorker, submitMilestones, type Submitted } from '@payroll/tools/demo/steps';

/** Submitted milestones of a worker who can be paid at once, with the funds for them. */
export async function submittedMilestones(access: GraphqlAccess, count: number): Promise<Submitted[]> {
  const worker = await registerWorker(access, `Mona Milestone ${crypto.randomUUID()}`, 'example.com');
  await payTo(access, worker.id, 'DE89 3704 0044 0532 0130 00');
  await instruct(access, REQUEST_FUNDING, transferOf(String(count * 100), 'EUR'));
  const draft = byMilestone(
    'Paid by milestones',
    Array.from({ length: count }, () => '100'),
  );
  return await submitMilestones(access, await contractIn(access, worker, draft, 'active'));
}
