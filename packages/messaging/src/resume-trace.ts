import type { EntityManager } from '@mikro-orm/postgresql';
import { isTracing, startTrace } from '@payroll/telemetry';
import { lastStepAbout } from './outbox-rows.js';

/** Days later nobody looks at the trace of what led here, and viewers have dropped it. */
const CONTINUED_FOR_SECONDS = 3_600;

/**
 * What is done later about a thing, by whichever process finds it due, is a further step of the trace in which the thing
 * last changed; after an hour it begins a trace of its own that points back at that one.
 */
export async function resumeTrace<T>(
  em: EntityManager,
  about: { workspaceId: string; aboutId: string },
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  if (!isTracing()) return await work();
  const last = await lastStepAbout(em, about);
  if (last === null) return await startTrace(name, about, work);
  const { traceparent, ageSeconds } = last;
  const led = ageSeconds < CONTINUED_FOR_SECONDS ? { continues: traceparent } : { follows: traceparent };
  return await startTrace(name, { ...about, ...led }, work);
}
