import { sql, type Sql } from '@payroll/store';
import type { DomainEvent } from '../run/command-transaction.js';

export function insertEvent(event: DomainEvent, consumers: readonly string[], traceparent: string | null): Sql {
  const { id, workspaceId, type, aboutId, occurredAt } = event;
  return sql`insert into outbox_event (id, workspace_id, type, about_id, body, recorded_at, awaiting, attempt, due_at, traceparent)
      values (${id}, ${workspaceId}, ${type}, ${aboutId}, ${JSON.stringify(event)}, ${occurredAt}, ${[...consumers]}, 1,
        case when ${consumers.length > 0} then clock_timestamp() + interval '3 s' end, ${traceparent})`;
}
