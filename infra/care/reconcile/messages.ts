import { SERVICES } from '@payroll/kernel';
import type { Judgement } from './judgement.js';

const inEach = (select: (schema: string) => string): string => SERVICES.map(select).join(' union all ');

/** Nothing is on its way between services, and nothing got lost there. */
export const MESSAGES: readonly Judgement[] = [
  {
    sentence: 'every event has been confirmed by every service that needs it',
    sql: inEach(
      (schema) => `select format('%s %s of ${schema} waits for %s since %s', type, id, awaiting, recorded_at) as what
        from ${schema}.outbox_event where due_at is not null`,
    ),
  },
  {
    sentence: 'no event was given up as a dead letter',
    sql: inEach(
      (schema) => `select format('${schema} could not apply %s %s: %s', type, event_id, reason) as what
        from ${schema}.dead_letter`,
    ),
  },
];
