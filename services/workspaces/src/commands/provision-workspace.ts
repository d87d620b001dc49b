import { type ErrorDetail, SYSTEM_ONLY, type KybStatus, newId, refuseProblems } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { problemsOfCountry, problemsOfEmail, problemsOfName } from '../domain/problems.js';
import { BusinessTable, MembershipTable } from '../store/tables.js';
import { tellBusiness } from './find-business.js';

export interface ProvisionWorkspace {
  name: string;
  country: string;
  kybStatus: KybStatus;
  adminName: string;
  adminEmail: string;
}

/** A new employer with its first admin. Operators do this; the workspace is the one the origin names. */
export const provisionWorkspace = defineCommand(
  'workspace.provision',
  SYSTEM_ONLY,
  async (tx, input: ProvisionWorkspace): Promise<{ workspaceId: string; membershipId: string }> => {
    refuseProblems(
      problemsOf(input),
      'A business has a name, a country (ISO 3166-1 alpha-2) and an admin to write to.',
    );
    const { workspaceId } = tx;
    const times = { createdAt: tx.now, updatedAt: tx.now };
    const { name, country, kybStatus } = input;
    const business = tx.em.create(BusinessTable, {
      ...{ id: workspaceId, revision: 1, name, country, kybStatus },
      integrationEnabled: true,
      writesEnabled: true,
      ...times,
    });
    tx.em.persist(business);
    tellBusiness(tx, business);
    const admin = tx.em.create(MembershipTable, {
      workspaceId,
      id: newId(),
      name: input.adminName,
      email: input.adminEmail.toLowerCase(),
      role: 'admin',
      accountId: null,
      leftAt: null,
      ...times,
    });
    tx.em.persist(admin);
    tx.audit('workspace.provisioned', workspaceId, { name, country, kybStatus, admin: admin.id });
    return { workspaceId, membershipId: admin.id };
  },
);

function problemsOf({ name, country, adminName, adminEmail }: ProvisionWorkspace): ErrorDetail[] {
  return [
    ...problemsOfName('name', name),
    ...problemsOfCountry(country),
    ...problemsOfName('adminName', adminName),
    ...problemsOfEmail('adminEmail', adminEmail),
  ];
}
