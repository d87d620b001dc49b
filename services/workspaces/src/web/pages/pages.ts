import type { Deployment } from '@payroll/admission';
import type { Routes } from '../web.js';
import { acceptInvitationPage } from './accept-invitation.js';
import { accountPages } from './account.js';
import { connectionPages } from './connections.js';
import { integrationPages } from './integration.js';
import { keyPages } from './keys.js';
import { memberPages } from './members.js';
import { signInPages } from './sign-in.js';
import { workspacePages } from './workspaces.js';

/** All rooms of the house that people see. */
export function pages(deployment: Deployment, isIssuerOutside = false): Routes[] {
  const entrance = [signInPages, acceptInvitationPage, accountPages, workspacePages];
  return [...entrance, keyPages(deployment), memberPages, integrationPages, connectionPages(isIssuerOutside)];
}
