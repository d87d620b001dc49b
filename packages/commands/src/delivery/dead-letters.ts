import type { EntityManager } from '@mikro-orm/postgresql';
import { parseEvent } from '@payroll/events';
import { isDomainError, errorForLog, newId, systemOrigin } from '@payroll/kernel';
import { type Log, withRemoteSpan } from '@payroll/runtime';
import { computed, mapDatabaseError, columns, GENERATION, read, sql, write } from '@payroll/store';
import type { Delivery } from '../outbox/outbox.js';
import type { Commands } from '../run/commands.js';
import { commandFor, type AppliedBy } from '../run/command.js';
import { DeadLetterTable } from '../tables.js';

/**
 * Stores an event as a dead letter for a person to examine. @throws Error, and stores nothing, if the event is from another
 * database generation.
 */
export async function storeDeadLetter(
  em: EntityManager,
  { event: { generation, ...event }, traceparent }: Delivery,
  error: unknown,
): Promise<void> {
  const [row] = await read(
    em,
    sql`with generation as (select ${GENERATION} = ${generation} as is_here),
      stored as (
        insert into dead_letter (event_id, workspace_id, type, event, reason, buried_at, traceparent)
        select ${event.id}::uuid, ${event.workspaceId}::uuid, ${event.type}, ${JSON.stringify(event)}::jsonb,
          ${messageOf(error)}, clock_timestamp(), ${traceparent}
        from generation where is_here
        on conflict (event_id) do nothing)
      select ${computed('isHere', 'boolean', sql`is_here`)} from generation`,
  );
  if (!row!.isHere) throw new Error('The event is of another generation of the database.');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Dead letters per round; the rest wait for the next round. */
const MOST = 1_000;

type Letter = Awaited<ReturnType<typeof deadLettersToRetry>>[number];

/**
 * A dead letter restored with this database belongs to its present generation, even if it was stored under an earlier one.
 */
async function deadLettersToRetry(em: EntityManager) {
  return await read(
    em,
    sql`select ${columns(DeadLetterTable, 'eventId', 'type', 'event', 'traceparent')},
        ${computed('generation', 'text', GENERATION)}
      from dead_letter where state = 'put_back' order by buried_at limit ${MOST}`,
  );
}

interface RetryDependencies {
  em: EntityManager;
  commands: Pick<Commands, 'apply'>;
  appliedBy: AppliedBy;
  log: Log;
}

/**
 * Applies each dead letter that a person has put back, once, as if it had just arrived. Closes dead letters whose event was
 * redelivered and applied. Several processes may run this at once.
 */
export async function retryDeadLetters(parts: RetryDependencies, stopping?: AbortSignal): Promise<void> {
  await closeApplied(parts.em);
  for (const letter of await deadLettersToRetry(parts.em)) {
    if (stopping?.aborted) return;
    await withRemoteSpan(letter.traceparent, `receive ${letter.type}`, { kind: 'consumer' }, async () => {
      const step = await retryDeadLetter(parts, letter);
      if (step) await addStep(parts.em, letter, step);
    });
  }
}

interface Step {
  step: 'applied' | 'dead_lettered';
  reason: string | null;
}

/** Null if the event was neither applied nor refused: the dead letter stays put back. */
async function retryDeadLetter({ commands, appliedBy, log }: RetryDependencies, letter: Letter): Promise<Step | null> {
  const about = { eventId: letter.eventId, eventType: letter.type };
  try {
    const event = { ...parseEvent(letter.event), generation: letter.generation };
    await commands.apply(commandFor(appliedBy, event.type), event);
    log.info(about, 'A dead letter was applied');
    return { step: 'applied', reason: null };
  } catch (thrown) {
    const error = mapDatabaseError(thrown);
    const isOutage = isDomainError(error, 'SERVICE_UNAVAILABLE');
    log.warn({ ...about, error: errorForLog(error) }, 'A dead letter that was put back could not be applied');
    return isOutage ? null : { step: 'dead_lettered', reason: messageOf(error) };
  }
}

const { principalId: SYSTEM } = systemOrigin('', 'event', '').actor;

/**
 * Applying an event is an operation of the system (ADR 02): its row shows whether the event was applied after a redelivery.
 * One that is put back is applied by its round, which finds that operation.
 */
async function closeApplied(em: EntityManager): Promise<void> {
  await write(
    em,
    sql`with closed as (
        update dead_letter letter set state = 'applied'
        where state = 'waiting'
          and exists (
            select from applied_operation operation where operation.workspace_id = letter.workspace_id
              and principal_id = ${SYSTEM} and operation_id = letter.event_id)
        returning workspace_id, event_id)
      insert into dead_letter_step (id, workspace_id, event_id, step, at, reason)
      select gen_random_uuid(), workspace_id, event_id, 'applied', clock_timestamp(), 'The event arrived again.'
      from closed`,
  );
}

/**
 * Runs after the event is applied. If the process ends before this, the next round finds the operation and does not apply
 * the event twice. In another database generation the dead letter stays put back: the event was not applied in that one.
 */
async function addStep(em: EntityManager, { eventId, generation }: Letter, { step, reason }: Step): Promise<void> {
  await write(
    em,
    sql`with moved as (
        update dead_letter set state = ${step === 'applied' ? 'applied' : 'waiting'}
        where event_id = ${eventId} and state = 'put_back' and ${GENERATION} = ${generation}
        returning workspace_id, event_id)
      insert into dead_letter_step (id, workspace_id, event_id, step, at, reason)
      select ${newId()}::uuid, workspace_id, event_id, ${step}, clock_timestamp(), ${reason} from moved`,
  );
}
