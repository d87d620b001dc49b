import { notFound, type Actor } from '@payroll/kernel';
import { requireOwner } from '../domain/permissions.js';

/** Admins end every connection, members their own: those of others are not there for them. */
export function requireConnectionManager(actor: Actor, membershipId: string): void {
  if (actor.kind === 'person' && actor.role !== 'admin' && actor.principalId !== membershipId) {
    throw notFound('The connection');
  }
}

/** To let an assistant act for somebody is a consent, and nobody else's: admins say which assistants there may be. */
export function requireConsenter(actor: Actor, membershipId: string): void {
  requireConnectionManager(actor, membershipId);
  requireOwner(actor, membershipId);
}
