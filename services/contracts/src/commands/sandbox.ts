import { isMember } from '@payroll/kernel';
import { defineSandboxCommand } from '@payroll/service';
import { type ContractAtRevision, findContract } from './contract-record.js';
import { requireDigest, signAs } from './contract-signing.js';

/** An admin, or an integration's test, signs in place of the worker. */
export const signAsWorkerInSandbox = defineSandboxCommand(
  'sandbox.sign-as-worker',
  async (tx, { digest, ...seen }: ContractAtRevision & { digest?: string | undefined }) => {
    if (isMember(tx.origin.actor)) requireDigest(digest);
    return await signAs(tx, await findContract(tx, seen), { side: 'worker', digest });
  },
);
