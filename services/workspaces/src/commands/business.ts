import { newEvent } from '@payroll/events';
import {
  INTERNAL_ONLY,
  type KybStatus,
  ADMINS_OR_INTERNAL,
  newId,
  DENY_ALL,
  requireFound,
  throwIfInvalid,
  secondFactorMissing,
  SYSTEM_ONLY,
} from '@payroll/kernel';
import { defineSandboxCommand } from '@payroll/service';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import { sql, type TableRow, rawSql } from '@payroll/store';
import { normalizeEmail } from '../domain/account.js';
import { HAS_SECOND_FACTOR } from '../accounts/second-factor.js';
import {
  followVerification,
  problemsOfCountry,
  problemsOfEmail,
  problemsOfName,
  problemsOfPersonName,
} from '../domain/workspace.js';
import { toBusiness, type Business, type IntegrationSwitches } from '../store/views.js';
import { BusinessTable, MembershipTable } from '../store/tables.js';
import { requireRecentPassword } from './access.js';

type BusinessRow = TableRow<typeof BusinessTable>;

export type ProvisionWorkspace = Pick<BusinessRow, 'name' | 'country' | 'kybStatus'> &
  Record<'adminName' | 'adminEmail', string>;

/** Creates an employer with its first admin, for operators; the origin names the workspace. */
export const provisionWorkspace = defineCommand('workspace.provision', {
  who: SYSTEM_ONLY,
  decide: (tx, input: ProvisionWorkspace): { workspaceId: string; membershipId: string } => {
    const { name, country, kybStatus, adminName, adminEmail } = input;
    throwIfInvalid(
      [
        ...problemsOfName('name', name),
        ...problemsOfCountry(country),
        ...problemsOfPersonName('adminName', adminName),
        ...problemsOfEmail('adminEmail', adminEmail),
      ],
      'A business needs a name, a country (ISO 3166-1 alpha-2) and an admin with an email address.',
    );
    const { workspaceId } = tx;
    const membershipId = newId();
    const enabled = { integrationEnabled: true, writesEnabled: true, secondFactorRequired: false };
    const given = { id: workspaceId, revision: 1, name, country, kybStatus };
    tellBusiness(tx, tx.insert(BusinessTable, { ...given, ...enabled }));
    const admin = { id: membershipId, name: adminName, email: normalizeEmail(adminEmail), role: 'admin' } as const;
    tx.insert(MembershipTable, { ...admin, accountId: null, leftAt: null });
    tx.audit('workspace.provisioned', workspaceId, { name, country, kybStatus, admin: membershipId });
    return { workspaceId, membershipId };
  },
});

/** Omitted fields keep their value. */
type UpdateBusiness = Partial<Record<'name' | 'country', string | null | undefined>>;

export const updateBusiness = defineCommand('business.update', {
  who: INTERNAL_ONLY,
  decide: async (tx, input: UpdateBusiness) => {
    const business = await findBusiness(tx);
    const from = { name: business.name, country: business.country };
    const to = { name: input.name ?? from.name, country: input.country ?? from.country };
    throwIfInvalid(
      [...problemsOfName('name', to.name), ...problemsOfCountry(to.country)],
      'A business needs a name and a country of two capital letters (ISO 3166-1 alpha-2).',
    );
    if (to.name === from.name && to.country === from.country) return toBusiness(business);
    tx.audit('business.updated', business.id, { from, to });
    const changed = tx.update(BusinessTable, business, { ...to, revision: business.revision + 1, updatedAt: tx.now });
    tellBusiness(tx, changed);
    return toBusiness(changed);
  },
});

/** Omitted ones stay as they are: another admin may have switched them off since they were looked at. */
type SetSwitches = { [Switch in keyof IntegrationSwitches]?: boolean | null | undefined };

/** Applies from the next request of any key or connection of the workspace. */
export const setIntegrationSwitches = defineCommand('business.set-integration-switches', {
  who: ADMINS_OR_INTERNAL,
  decide: async (tx, input: SetSwitches): Promise<Business> => {
    const business = await findBusiness(tx);
    const { integrationEnabled, writesEnabled } = business;
    const to = {
      integrationEnabled: input.integrationEnabled ?? integrationEnabled,
      writesEnabled: input.writesEnabled ?? writesEnabled,
    };
    if (to.integrationEnabled === integrationEnabled && to.writesEnabled === writesEnabled) return toBusiness(business);
    const opens = (to.integrationEnabled && !integrationEnabled) || (to.writesEnabled && !writesEnabled);
    if (opens) await requireRecentPassword(tx);
    tx.audit('business.switches-set', business.id, { from: { integrationEnabled, writesEnabled }, to });
    return toBusiness(tx.update(BusinessTable, business, { ...to, updatedAt: tx.now }));
  },
});

/**
 * Applies to admins in person, from their next request on. Only an admin who has a second factor decides it: others
 * would lock themselves out, or let themselves in.
 */
export const requireSecondFactor = defineCommand('business.require-second-factor', {
  who: { ...DENY_ALL, roles: ['admin'], needsRecentPassword: true },
  decide: async (tx, { isRequired }: { isRequired: boolean }): Promise<Business> => {
    await requireRecentPassword(tx);
    const own = await tx.read(sql`
      select from membership join account on account.id = membership.account_id
      where workspace_id = ${tx.workspaceId} and membership.id = ${tx.origin.actor.principalId}
        and ${rawSql(HAS_SECOND_FACTOR)}`);
    if (own.length === 0) throw secondFactorMissing();
    const business = await findBusiness(tx);
    const { secondFactorRequired: from } = business;
    if (from === isRequired) return toBusiness(business);
    tx.audit('business.second-factor-required', business.id, { secondFactorRequired: { from, to: isRequired } });
    return toBusiness(tx.update(BusinessTable, business, { secondFactorRequired: isRequired, updatedAt: tx.now }));
  },
});

export const setVerificationStatus = defineCommand('business.set-verification-status', {
  who: INTERNAL_ONLY,
  decide: async (tx, { kybStatus }: { kybStatus: KybStatus }): Promise<Business> => {
    const business = await findBusiness(tx);
    return changeVerification(tx, business, followVerification(business.kybStatus, kybStatus));
  },
});

/** An admin acts as our verification staff: starts the verification if needed, and passes it. */
export const verifyBusinessInSandbox = defineSandboxCommand(
  'sandbox.verify-business',
  async (tx): Promise<Business> => {
    const business = await findBusiness(tx);
    const from = business.kybStatus;
    const asked = from === 'not_started' || from === 'rejected' ? followVerification(from, 'pending') : from;
    return changeVerification(tx, business, followVerification(asked, 'verified'));
  },
);

function changeVerification(tx: CommandTransaction, business: BusinessRow, to: KybStatus): Business {
  const { id, kybStatus: from, revision } = business;
  const changed = tx.update(BusinessTable, business, { kybStatus: to, revision: revision + 1, updatedAt: tx.now });
  tx.audit('business.verification-changed', id, { kybStatus: { from, to } });
  tellBusiness(tx, changed);
  return toBusiness(changed);
}

/** The business of the workspace; both have the same id. */
async function findBusiness(tx: CommandTransaction): Promise<BusinessRow> {
  return requireFound(await tx.findAnywhere(BusinessTable, { id: tx.workspaceId }), 'The business');
}

/** Emits the whole state: consumers need only the newest event. */
function tellBusiness(tx: CommandTransaction, { id, revision, kybStatus, name, country }: BusinessRow): void {
  tx.emit(newEvent('business.changed', id, { businessId: id, revision, kybStatus, name, country }));
}
