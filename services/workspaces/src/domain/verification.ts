import { follow, type StateMachine, type KybStatus } from '@payroll/kernel';

/**
 * How the verification of a business goes, by the status it goes to. What was verified may be looked at again, and may
 * turn out to be wrong; what was rejected is verified only after another look.
 */
const verificationMachine: StateMachine<KybStatus, KybStatus> = {
  not_started: { pending: 'pending' },
  pending: { verified: 'verified', rejected: 'rejected' },
  verified: { pending: 'pending', rejected: 'rejected' },
  rejected: { pending: 'pending' },
};

export function followVerification(from: KybStatus, to: KybStatus): KybStatus {
  return follow(verificationMachine, 'verification of the business', from, to);
}
