import type { Origin } from '@payroll/kernel';
import { application, HOURLY, type Answer, type Contracts } from './support.js';

export const only = ({ data }: Answer): Record<string, unknown> =>
  Object.values(data ?? {})[0] as Record<string, unknown>;

/** The value of the document's only field; throws if it was refused. */
export async function must(
  contracts: Contracts,
  origin: Origin,
  query: string,
  variables: object = {},
): Promise<Record<string, unknown>> {
  const answer = await contracts.graphql(origin, query, variables);
  if (answer.errors) throw new Error(JSON.stringify(answer.errors));
  return only(answer);
}

export const codes = ({ errors = [] }: Answer): string[] => errors.map(({ extensions }) => extensions.code);

/** The mutations of a contract's life, in order. */
export const STEPS = [
  ['submitContractForVerification(id: $id)', 'pending_verification', 'contract.submitted-for-verification'],
  ['verifyContract(id: $id)', 'ready_for_signature', 'contract.verified'],
  ['requestContractSignatures(id: $id)', 'pending_signature', 'contract.signatures-requested'],
  ['sandboxSignAsWorker(id: $id)', 'pending_signature', 'contract.signed'],
  ['signContract(id: $id)', 'signed', 'contract.signed'],
  ['activateContract(id: $id)', 'active', 'contract.activated'],
  ['startContractOffboarding(id: $id, endDate: "2027-06-30")', 'offboarding', 'contract.offboarding-started'],
  ['completeContract(id: $id)', 'completed', 'contract.completed'],
] as const;

/** A complete draft. */
export async function draft(contracts: Contracts, origin: Origin, input: object = HOURLY): Promise<string> {
  const { id } = await must(
    contracts,
    origin,
    'mutation ($input: ContractDraftInput!) { createContractDraft(input: $input) { id } }',
    { input },
  );
  const worker = await must(
    contracts,
    origin,
    'mutation { registerWorker(name: "Wanda", email: "w@example.com") { id } }',
  );
  await must(contracts, origin, 'mutation ($id: ID!, $w: ID!) { assignWorker(contractId: $id, workerId: $w) { id } }', {
    id,
    w: worker['id'],
  });
  return String(id);
}

/** Takes the first `steps` mutations of a contract's life. */
export async function advance(contracts: Contracts, origin: Origin, id: string, steps: number): Promise<void> {
  for (const [step] of STEPS.slice(0, steps))
    await must(contracts, takerOf(step, origin), `mutation ($id: ID!) { ${step} { status } }`, { id });
}

/** The origin that may take this step: only the sandbox signs for a worker. */
export function takerOf(step: string, origin: Origin): Origin {
  return step.startsWith('sandbox') ? application(origin.actor.workspaceId) : origin;
}
