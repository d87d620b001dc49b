import type { EntityManager } from '@mikro-orm/postgresql';
import { isId } from '@payroll/kernel';
import { part, readComposed } from '@payroll/store';
import { normalizeEmail } from '../domain/account.js';

export interface SignedUpMember {
  membershipId: string;
  accountId: string;
}

/** Who signs in with this address and belongs to the workspace now, or null. */
export async function memberOfEmail(
  em: EntityManager,
  workspaceId: string,
  email: string,
): Promise<SignedUpMember | null> {
  if (!isId(workspaceId)) return null;
  const [member] = await readComposed<SignedUpMember>(
    em,
    part`select m.id as "membershipId", a.id as "accountId"
      from membership m join account a on a.id = m.account_id
      where m.workspace_id = ${workspaceId} and m.left_at is null and a.email = ${normalizeEmail(email)}`,
  );
  return member ?? null;
}
