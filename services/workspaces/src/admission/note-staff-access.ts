import type { EntityManager } from '@mikro-orm/postgresql';
import type { AdmissionAnswer, AdmissionQuestion } from '@payroll/admission';
import { newId } from '@payroll/kernel';
import type { WorkspacesRows } from '../store/schema.js';
import { sql } from 'kysely';

/** Whoever of the staff looks into a workspace leaves when and why, before seeing anything. */
export async function noteStaffAccess(
  em: EntityManager,
  questions: readonly (AdmissionQuestion | null)[],
  answers: readonly AdmissionAnswer[],
): Promise<void> {
  const entries = answers.flatMap((answer, n) => {
    if (!answer.admitted || answer.origin.actor.kind !== 'staff') return [];
    const { actor, via, requestId } = answer.origin;
    return {
      id: newId(),
      workspace_id: actor.workspaceId,
      at: sql<string>`clock_timestamp()`,
      actor_kind: actor.kind,
      principal_id: actor.principalId,
      via,
      request_id: requestId,
      action: 'workspace.accessed',
      subject_id: actor.workspaceId,
      change: JSON.stringify({ reason: questions[n]?.reason }),
    };
  });
  if (entries.length > 0) await em.getKysely<WorkspacesRows>().insertInto('audit_entry').values(entries).execute();
}
