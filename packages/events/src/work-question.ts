import { isId, type PaymentSource } from '@payroll/kernel';

/** Asked of review (request/reply): whether the workspace has a piece of work, in whatever state. */
export const WORK_QUESTION = 'ask.review.work';

export interface WorkQuestion {
  workspaceId: string;
  kind: PaymentSource;
  id: string;
}

export interface WorkAnswer {
  isKnown: boolean;
  /** Of the database, in which this was read (ADR 04). */
  generation: string;
}

/** @throws TypeError for anything else than a kind of work and two ids. */
export function readWorkQuestion(body: unknown): WorkQuestion {
  const { workspaceId, kind, id } = (body ?? {}) as Record<string, unknown>;
  if (isId(workspaceId) && isId(id) && (kind === 'timesheet' || kind === 'milestone')) return { workspaceId, kind, id };
  throw new TypeError('The question names a workspace and a piece of work, by their ids and its kind.');
}
