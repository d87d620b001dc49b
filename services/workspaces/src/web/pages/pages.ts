import { answering, type RoutePlugin } from '../account-context.js';
import { acceptInvitationPage } from './accept-invitation.js';
import { accountPages } from './account.js';
import { closeAccountPages } from './close-account.js';
import { forgotPasswordPages } from './forgot-password.js';
import { ownAddressPages } from './own-address.js';
import { secondFactorPages } from './second-factor.js';
import { mailChoicePages } from './mail-choices.js';
import { signInPages } from './sign-in.js';
import { stopLinkPages } from './stop-links.js';
import { stopPayoutChangePage } from './stop-payout-change.js';
import { workspacePages } from './workspaces.js';

/** Pages of a person's account and memberships. The console serves the pages of a workspace. */
export const pages: readonly RoutePlugin[] = [
  answering(
    { ...signInPages, ...forgotPasswordPages, ...acceptInvitationPage, ...stopLinkPages, ...stopPayoutChangePage },
    { isForStrangers: true },
  ),
  answering({
    ...accountPages,
    ...secondFactorPages,
    ...ownAddressPages,
    ...mailChoicePages,
    ...closeAccountPages,
    ...workspacePages,
  }),
];
