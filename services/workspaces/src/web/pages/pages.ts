import { answering } from '../routes.js';
import type { Routes } from '../web.js';
import { acceptInvitationPage } from './accept-invitation.js';
import { accountPages } from './account.js';
import { forgotPasswordPages } from './forgot-password.js';
import { keepSecondFactorPage } from './keep-second-factor.js';
import { secondFactorPages } from './second-factor.js';
import { mailChoicePages } from './mail-choices.js';
import { signInPages } from './sign-in.js';
import { stopPayoutChangePage } from './stop-payout-change.js';
import { workspacePages } from './workspaces.js';

/** Pages of a person's account and memberships. The console serves the pages of a workspace. */
export const pages: readonly Routes[] = [
  answering(
    {
      ...signInPages,
      ...forgotPasswordPages,
      ...acceptInvitationPage,
      ...keepSecondFactorPage,
      ...stopPayoutChangePage,
    },
    { isForStrangers: true },
  ),
  answering({ ...accountPages, ...secondFactorPages, ...mailChoicePages, ...workspacePages }),
];
