import { DomainError, newId, requireInternal } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { isCountry, isEmail, type KybStatus } from '../domain/workspace.js';
import { BusinessTable, MembershipTable } from '../store/tables.js';

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
  async (tx, input: ProvisionWorkspace): Promise<{ workspaceId: string; membershipId: string }> => {
    requireInternal(tx.origin.actor);
    if (!isCountry(input.country)) throw invalid('country', 'country is two capital letters (ISO 3166-1 alpha-2).');
    if (!isEmail(input.adminEmail)) throw invalid('adminEmail', 'adminEmail is an e-mail address.');
    const { workspaceId } = tx;
    const times = { createdAt: tx.now, updatedAt: tx.now };
    const { name, country, kybStatus } = input;
    tx.em.persist(
      tx.em.create(BusinessTable, {
        id: workspaceId,
        name,
        country,
        kybStatus,
        integrationEnabled: true,
        writesEnabled: true,
        ...times,
      }),
    );
    const admin = tx.em.create(MembershipTable, {
      workspaceId,
      id: newId(),
      name: input.adminName,
      email: input.adminEmail.toLowerCase(),
      role: 'admin',
      leftAt: null,
      ...times,
    });
    tx.em.persist(admin);
    tx.audit('workspace.provisioned', workspaceId, { country, kybStatus, admin: admin.id });
    return { workspaceId, membershipId: admin.id };
  },
);

function invalid(path: string, message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', message, { details: [{ path, code: 'format' }] });
}
