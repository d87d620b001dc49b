import { newId } from '@payroll/kernel';
import { hashSecret, newSecret } from './secret.js';

export interface InvitationLink {
  id: string;
  secretHash: string;
  /** Shown once, to be sent to the invited person. */
  link: string;
}

export function newInvitationLink(origin: string): InvitationLink {
  const secret = newSecret();
  return { id: newId(), secretHash: hashSecret(secret), link: `${origin}/invitations/${secret}` };
}
