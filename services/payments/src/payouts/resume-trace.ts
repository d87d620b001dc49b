import { withRootSpan } from '@payroll/runtime';

interface LedBy {
  workspaceId: string;
  paymentId: string;
  /** `traceparent` of the step in which the payment last changed. */
  traceparent: string | null;
  /** Within the last hour. Trace viewers drop older traces. */
  isRecent: boolean;
}

/** Continues the trace in which the payment last changed; after an hour, starts a new trace that links to it. */
export function resumeTrace<T>(payment: LedBy, name: string, work: () => Promise<T>): Promise<T> {
  const { workspaceId, paymentId: aboutId, isRecent } = payment;
  const traceparent = payment.traceparent ?? undefined;
  const led = isRecent ? { continues: traceparent } : { follows: traceparent };
  return withRootSpan(name, { workspaceId, aboutId, ...led }, work);
}
