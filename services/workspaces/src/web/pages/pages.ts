import type { Deployment } from '@payroll/admission';
import type { Routes } from '../web.js';
import { acceptInvitationPage } from './accept-invitation.js';
import { accountPage } from './account.js';
import { confirmPasswordPage } from './confirm-password.js';
import { changePasswordPage } from './change-password.js';
import { connectionListPage } from './connections/connection-list.js';
import { integrationPage } from './integration.js';
import { keyListPage } from './keys/key-list.js';
import { newKeyPage } from './keys/new-key.js';
import { revokeKeyPage } from './keys/revoke-key.js';
import { rotateKeyPage } from './keys/rotate-key.js';
import { changeRolePage } from './members/change-role.js';
import { inviteMemberPage } from './members/invite-member.js';
import { memberListPage } from './members/member-list.js';
import { removeMemberPage } from './members/remove-member.js';
import { revokeInvitationPage } from './members/revoke-invitation.js';
import { overviewPage } from './overview.js';
import { signInPages } from './sign-in.js';
import { workspacePages } from './workspaces.js';

/** All rooms of the house that people see. */
export function pages(deployment: Deployment, isIssuerOutside = false): Routes[] {
  return [
    ...[
      signInPages,
      confirmPasswordPage,
      acceptInvitationPage,
      accountPage,
      changePasswordPage,
      workspacePages,
      overviewPage,
    ],
    ...[keyListPage, newKeyPage(deployment), rotateKeyPage(deployment), revokeKeyPage],
    ...[memberListPage, inviteMemberPage, changeRolePage, removeMemberPage, revokeInvitationPage],
    ...[integrationPage, connectionListPage(isIssuerOutside)],
  ];
}
