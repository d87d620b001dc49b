import { refuseProblems } from '@payroll/kernel';
import { defineSandboxCommand } from '@payroll/service';
import type { ContractAtRevision } from './contract-record.js';
import { signAs } from './contract-signing.js';

/** An admin signs as the worker, who has read the text. */
export const signAsWorkerInSandbox = defineSandboxCommand(
  'sandbox.sign-as-worker',
  (tx, signing: ContractAtRevision & { digest: string }) => {
    const problems = signing.digest === '' ? [{ path: 'digest', code: 'required' }] : [];
    refuseProblems(problems, 'digest is required: the digest of the text that was read.');
    return signAs(tx, { ...signing, side: 'worker' });
  },
);
