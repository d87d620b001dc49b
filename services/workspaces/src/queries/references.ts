import type { EntityManager } from '@mikro-orm/postgresql';
import { columnsExcept, computed, sql } from '@payroll/store';
import { ASKED_KEY, type BatchFetch, ofKeys } from '@payroll/service';
import { BusinessTable } from '../store/tables.js';
import type { Business } from '../store/views.js';

/** A business has the id of its workspace; under another workspace it is not found. */
export function businessesById(em: EntityManager): BatchFetch<Business> {
  return ofKeys(
    em,
    (asked) => sql`select ${ASKED_KEY}, ${columnsExcept(BusinessTable, 'revision')} from ${asked}
      join business on business.id = asked.id and business.id = asked.workspace_id`,
    ([business]) => business,
  );
}

type Principal = (typeof COLUMNS)['row'];

const COLUMNS = sql`${ASKED_KEY}, ${computed('id', 'uuid', sql`asked.id`)},
  ${computed('memberName', 'text', sql`coalesce(m.name, acting.worker_name)`)}, ${computed('name', 'text?', sql`acting.name`)}`;

/** The principals of a workspace: its members, the keys and connections that act for them, and its workers. */
export function principals(em: EntityManager): BatchFetch<Principal> {
  return ofKeys(
    em,
    (asked) => sql`select ${COLUMNS} from ${asked}
        cross join lateral (
          select asked.id as membership_id, null as name, null as worker_name
          union all
          select null, null, account.name from worker_access w join account on account.id = w.account_id
            where w.workspace_id = asked.workspace_id and w.id = asked.id
          union all
          -- Who accepts an invitation is no member until then.
          select membership_id, null, null from invitation
            where workspace_id = asked.workspace_id and id = asked.id and accepted_at is not null
          union all
          select null, null, account.name from invitation
            join worker_access w using (workspace_id, worker_id) join account on account.id = w.account_id
            where workspace_id = asked.workspace_id and invitation.id = asked.id and w.joined_at = accepted_at
          union all
          (select membership_id, name, null from api_key
            where workspace_id = asked.workspace_id and principal_id = asked.id order by created_at desc limit 1)
          union all
          (select c.membership_id, k.name, null from mcp_connection c
            join mcp_client k on k.workspace_id = c.workspace_id and k.id = c.client_id
            where c.workspace_id = asked.workspace_id and c.principal_id = asked.id order by c.created_at desc limit 1)
        ) acting
        left join membership m on m.workspace_id = asked.workspace_id and m.id = acting.membership_id
        where m.id is not null or acting.worker_name is not null`,
    ([principal]) => principal,
  );
}
