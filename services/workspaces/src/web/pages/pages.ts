import { answering } from '../routes.js';
import type { Routes } from '../web.js';
import { acceptInvitationPage } from './accept-invitation.js';
import { accountPages } from './account.js';
import { connectionPages } from './connections.js';
import { forgotPasswordPages } from './forgot-password.js';
import { integrationPage } from './integration.js';
import { keyPages } from './keys.js';
import { memberPages } from './members.js';
import { signInPages } from './sign-in.js';
import { workspacePages } from './workspaces.js';

export function pages(isIssuerOutside = false): Routes[] {
  return [
    answering({ ...signInPages, ...forgotPasswordPages, ...acceptInvitationPage }, { isForStrangers: true }),
    answering({ ...accountPages, ...workspacePages, ...memberPages, ...integrationPage }),
    answering({ ...keyPages, ...connectionPages(isIssuerOutside) }),
  ];
}
