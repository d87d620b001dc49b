import { refuseProblems } from '@payroll/kernel';
import { defineSandboxCommand } from '@payroll/service';
import type { SeenContract } from './contract-record.js';
import { signAs } from './contract-signing.js';

/** An admin plays the worker, who has read the text and signs it. */
export const signAsWorkerInSandbox = defineSandboxCommand(
  'sandbox.sign-as-worker',
  (tx, signing: SeenContract & { digest: string }) => {
    const problems = signing.digest === '' ? [{ path: 'digest', code: 'required' }] : [];
    refuseProblems(problems, 'Say which text you have read.');
    return signAs(tx, { ...signing, side: 'worker' });
  },
);
