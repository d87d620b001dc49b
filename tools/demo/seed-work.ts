import { ask, instruct, type GraphqlAccess } from './graphql-client.js';
import * as operation from './operations.js';
import { seedPayments } from './seed-payments.js';
import { contractIn, hourly, registerWorker, submitWeek, type Worker } from './steps.js';

function milestones(count: number, amount: number): object[] {
  return Array.from({ length: count }, (_, n) => ({
    title: `Stage ${n + 1}`,
    description: `What is delivered at the end of stage ${n + 1}.`,
    amount: String(amount + n * 250),
    dueDate: `2027-0${n + 1}-28`,
    sortOrder: n,
  }));
}

/** Contracts of every type and in every state, submitted work, and payments in every status. */
export async function seedFirstWorkspace(access: GraphqlAccess, domain: string): Promise<void> {
  const [wanda, noah, mila] = await Promise.all(
    ['Wanda Weber', 'Noah Novak', 'Mila Moreau'].map((name) => registerWorker(access, name, domain)),
  );
  const [backend, data] = await Promise.all([
    contractIn(access, wanda!, hourly('Backend engineering', 'EUR', '85.50'), 'active'),
    contractIn(access, noah!, hourly('Data platform', 'USD', '92.75'), 'active'),
    seedOtherStates(access, wanda!, noah!, mila!),
    seedMilestones(access, mila!),
  ]);
  // The first weeks become payments, the later ones wait for a reviewer.
  await seedPayments(access, { domain, backend, data });
  for (let n = 20; n < 26; n++) await submitWeek(access, backend, n, '38.5');
  for (let n = 20; n < 26; n++) await submitWeek(access, data, n, '32.25');
}

async function seedOtherStates(access: GraphqlAccess, wanda: Worker, noah: Worker, mila: Worker): Promise<void> {
  await ask(access, operation.CREATE_DRAFT, { input: { title: 'Brand redesign', contractType: 'contractor_fixed' } });
  await contractIn(access, wanda, hourly('Support rota', 'EUR', '41'), 'pending_verification');
  await contractIn(access, noah, hourly('Security review', 'USD', '140'), 'ready_for_signature');
  await contractIn(access, mila, hourly('Copy editing', 'EUR', '55'), 'pending_signature');
  await contractIn(access, wanda, hourly('Site reliability', 'EUR', '99.90'), 'signed');
  await contractIn(access, mila, hourly('Event photography', 'EUR', '60'), 'offboarding');
  await contractIn(access, noah, hourly('Data migration', 'USD', '88'), 'completed');
  const cancelled = await contractIn(access, mila, hourly('Podcast pilot', 'EUR', '48'), 'active');
  await ask(access, operation.CANCEL_CONTRACT, { id: cancelled });
  const { id } = await ask<{ id: string }>(access, operation.CREATE_DRAFT, { input: { title: 'Entered by mistake' } });
  await ask(access, operation.DELETE_CONTRACT, { id });
  const employee = {
    title: 'Office manager',
    contractType: 'employment_at_will',
    countryOfEmployment: 'DE',
    startDate: '2026-02-01',
    compensation: { type: 'salary', currency: 'EUR', annualSalary: '52000', paymentFrequency: 'monthly' },
  };
  await contractIn(access, wanda, employee, 'active');
  const fixed = {
    title: 'Accounting handover',
    contractType: 'contractor_fixed',
    startDate: '2026-03-01',
    compensation: {
      type: 'retainer',
      currency: 'EUR',
      retainerAmount: '3000',
      paymentFrequency: 'monthly',
      rate: '3000',
    },
  };
  await contractIn(access, noah, fixed, 'active');
}

async function seedMilestones(access: GraphqlAccess, mila: Worker): Promise<void> {
  const app = {
    title: 'Mobile app',
    contractType: 'contractor_milestone',
    startDate: '2026-06-01',
    compensation: { type: 'milestone', currency: 'EUR' },
    milestones: milestones(6, 1000),
  };
  const series = {
    title: 'Video series',
    contractType: 'contractor_creator',
    startDate: '2026-06-01',
    compensation: { type: 'per_task', currency: 'EUR' },
    creatorTerms: { exclusivity: 'none', ipOwnership: 'business' },
    creatorDeliverables: [{ platform: 'youtube', format: 'video', brief: 'A tour of the studio', amount: '900' }],
    milestones: milestones(4, 500),
  };
  const ids = [await contractIn(access, mila, app, 'active'), await contractIn(access, mila, series, 'active')];
  for (const id of ids) {
    const { nodes } = await ask<{ nodes: { id: string }[] }>(access, operation.MILESTONES_OF, { id });
    // Leave one milestone of each contract pending.
    for (const milestone of nodes.slice(1)) await ask(access, operation.SUBMIT_MILESTONE, { id: milestone.id });
  }
}

/** A smaller workspace: an active contract with submitted work, and a draft to be completed. */
export async function seedSecondWorkspace(access: GraphqlAccess, domain: string): Promise<void> {
  const worker = await registerWorker(access, 'Sam Silva', domain);
  const contract = await contractIn(access, worker, hourly('Firmware', 'USD', '110'), 'active');
  await instruct(access, operation.REQUEST_FUNDING, operation.transferOf('5000', 'USD'));
  for (let n = 0; n < 3; n++) await submitWeek(access, contract, n, '40');
  await ask(access, operation.CREATE_DRAFT, { input: { title: 'Landing page' } });
}
