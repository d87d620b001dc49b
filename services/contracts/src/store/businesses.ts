import { unavailable } from '@payroll/kernel';
import type { ServiceDependencies } from '@payroll/service';
import { columns, read, sql } from '@payroll/store';
import { projectBusiness } from '../commands/project-business.js';
import type { Business } from '../domain/agreement-text.js';
import { BusinessTable } from './tables.js';

/**
 * The business of a workspace. Fetches the event of a new workspace if it has not arrived: its first contract may be
 * signed within a second.
 * @throws DomainError `SERVICE_UNAVAILABLE` when workspaces cannot be reached.
 */
export async function knowBusiness(
  parts: Pick<ServiceDependencies, 'em' | 'learn'>,
  workspaceId: string,
): Promise<Business> {
  const known = await findBusiness(parts, workspaceId);
  if (known) return known;
  await parts.learn({ 'business.changed': projectBusiness }, { workspaceId, aboutId: workspaceId });
  const learned = await findBusiness(parts, workspaceId);
  if (!learned) throw unavailable('The name of the business');
  return learned;
}

async function findBusiness({ em }: Pick<ServiceDependencies, 'em'>, workspaceId: string): Promise<Business | null> {
  const shown = columns(BusinessTable, 'name', 'country');
  const [business] = await read(em, sql`select ${shown} from business where workspace_id = ${workspaceId}`);
  return business ?? null;
}
