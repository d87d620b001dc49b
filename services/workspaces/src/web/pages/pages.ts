import { answering } from '../routes.js';
import type { Routes } from '../web.js';
import { acceptInvitationPage } from './accept-invitation.js';
import { accountPages } from './account.js';
import { forgotPasswordPages } from './forgot-password.js';
import { signInPages } from './sign-in.js';
import { workspacePages } from './workspaces.js';

/** A person's account and memberships. The pages of a workspace are the console's. */
export const pages: readonly Routes[] = [
  answering({ ...signInPages, ...forgotPasswordPages, ...acceptInvitationPage }, { isForStrangers: true }),
  answering({ ...accountPages, ...workspacePages }),
];
