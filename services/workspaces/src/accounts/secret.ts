import { newId } from '@payroll/kernel';
import { hashSecret, newSecret } from '@payroll/pages';

/** The link is shown only once, to be sent to the invited person. */
export function newInvitationLink(origin: string) {
  const secret = newSecret();
  return { id: newId(), secretHash: hashSecret(secret), link: `${origin}/invitations/${secret}` };
}
