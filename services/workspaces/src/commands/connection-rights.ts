import { notFound, type Actor } from '@payroll/kernel';
import { requireManagerOrSelf } from '../domain/permissions.js';

/** Admins manage every connection, members their own: those of others are not there for them. */
export function requireOwnConnection(actor: Actor, membershipId: string): void {
  if (actor.kind === 'person' && actor.role !== 'admin' && actor.principalId !== membershipId) {
    throw notFound('The connection');
  }
  requireManagerOrSelf(actor, membershipId);
}
