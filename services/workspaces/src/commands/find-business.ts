import { LockMode, type InferEntity } from '@mikro-orm/core';
import { newEvent } from '@payroll/events';
import { notFound } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/store';
import type { Business } from '../domain/workspace.js';
import { BusinessTable } from '../store/tables.js';

export type BusinessEntity = InferEntity<typeof BusinessTable>;

/** The business of the workspace, locked until commit. */
export async function findBusiness({ em, workspaceId }: CommandTransaction): Promise<BusinessEntity> {
  const business = await em.findOne(BusinessTable, { id: workspaceId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!business) throw notFound('The business');
  return business;
}

/** What readers will see of the business once the command has committed. */
export function businessAfter(business: BusinessEntity): Business {
  const { id, name, country, kybStatus, integrationEnabled, writesEnabled, createdAt, updatedAt } = business;
  return { id, name, country, kybStatus, integrationEnabled, writesEnabled, createdAt, updatedAt };
}

/** Tells payments what decides over payouts; the newest event is enough. */
export function tellBusiness(tx: CommandTransaction, { id, revision, kybStatus }: BusinessEntity): void {
  tx.emit(newEvent('business.changed', id, { businessId: id, revision, kybStatus }));
}
