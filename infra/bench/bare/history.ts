import { randomUUID } from 'node:crypto';
import type { Holder } from './admit.js';
import type { Prepared, Run } from './database.js';

const AUDIT: Prepared = {
  name: 'audit',
  text: `insert into audit_entry
      (id, workspace_id, at, actor_kind, principal_id, via, request_id, action, subject_id, change)
    values ($1, $2, $3, 'api_key', $4, 'rest', $5, $6, $7, $8)`,
};
const EMIT: Prepared = {
  name: 'emit',
  text: `insert into outbox_event (id, workspace_id, type, about_id, body, recorded_at, awaiting, attempt, due_at)
    values ($1, $2, $3, $4, $5, $6, $7, 0, $6)`,
};

export interface Change {
  holder: Pick<Holder, 'workspaceId' | 'principalId'>;
  requestId: string;
  now: string;
  type: string;
  subjectId: string;
  change: object;
  consumer: string;
}

/** The audit row and the outbox row of a change; gives back the event's id. */
export async function note(run: Run, { holder, requestId, now, type, subjectId, change, consumer }: Change) {
  const { workspaceId, principalId } = holder;
  const eventId = randomUUID();
  const text = JSON.stringify(change);
  await run(AUDIT, [randomUUID(), workspaceId, now, principalId, requestId, type, subjectId, text]);
  await run(EMIT, [eventId, workspaceId, type, subjectId, text, now, [consumer]]);
  return eventId;
}
