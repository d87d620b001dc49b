import type { EntityManager } from '@mikro-orm/postgresql';
import { part, readComposed } from '@payroll/store';

export interface AccountOfEmail {
  id: string;
  name: string;
  /** Where it belongs right now. */
  workspaceIds: string[];
}

/** Every account with this address, which anybody may have been invited with. For operators. */
export async function accountsOfEmail(em: EntityManager, email: string): Promise<AccountOfEmail[]> {
  return await readComposed<AccountOfEmail>(
    em,
    part`select a.id, a.name, coalesce(array_agg(m.workspace_id::text) filter (where m.id is not null), '{}') as "workspaceIds"
      from account a left join membership m on m.account_id = a.id and m.left_at is null
      where a.email = ${email}
      group by a.id order by a.created_at, a.id`,
  );
}
