import type { EntityManager } from '@mikro-orm/postgresql';
import { ASKED_KEY, type BatchFetch, NAMED, ofKeys } from '@payroll/service';
import { AuditEntryTable } from '@payroll/commands';
import { computed, columns, sql } from '@payroll/store';

export const REVIEW_STEPS = ['submitted', 'resubmitted', 'terms_changed', 'approved', 'rejected'] as const;
export type ReviewStepKind = (typeof REVIEW_STEPS)[number];

/** Per piece of work: it is resubmitted a few times, not fifty. */
const NEWEST = 50;

const actionsOf = (work: 'timesheet' | 'milestone'): string[] =>
  REVIEW_STEPS.map((step) => `${work}.${step.replace('_', '-')}`);

const STEP = sql`replace(split_part(action, '.', 2), '-', '_')`;
const COLUMNS = sql`${columns(AuditEntryTable, 'id', 'at', 'actorKind', 'principalId')},
  ${computed('step', 'text', STEP)}, ${computed('reason', 'text?', sql`change ->> 'reason'`)},
  ${computed('rule', 'text?', sql`change -> 'rule' ->> 'name'`)}`;

type ReviewStep = ReturnType<typeof toReviewStep>;

function toReviewStep({ id, at, actorKind, principalId, step, reason, rule }: (typeof COLUMNS)['row']) {
  const by = NAMED.has(actorKind) ? { id: principalId } : null;
  return { id, at, actorKind, by, step: step as ReviewStepKind, reason, rule };
}

/** The review steps of a piece of work from the audit trail, newest first. */
export function reviewsOfWork(em: EntityManager, work: 'timesheet' | 'milestone'): BatchFetch<ReviewStep[]> {
  const actions = actionsOf(work);
  return ofKeys(
    em,
    (asked) => sql`select ${ASKED_KEY}, ${COLUMNS} from ${asked}
        cross join lateral (
          select * from audit_entry
          where audit_entry.workspace_id = asked.workspace_id and audit_entry.subject_id = asked.id
            and action = any(${actions})
          order by at desc, id desc limit ${NEWEST}
        ) audit_entry
        order by audit_entry.at desc, audit_entry.id desc`,
    (rows) => rows.map(toReviewStep),
  );
}
