import type { EntityManager } from '@mikro-orm/postgresql';
import { parseEvent, type EventType } from '@payroll/events';
import { DomainError, errorForLog, isId, newId, systemOrigin } from '@payroll/kernel';
import type { Log } from '@payroll/process';
import { as, asDomainError, columns, DeadLetterTable, HISTORY, read, sql, write } from '@payroll/store';
import { stepOf } from '@payroll/telemetry';
import type { Arrived } from './arrived.js';
import type { EventCommand, EventRunner } from './turn.js';

const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000';

/** Keeps an event for a person to look at. False, and not kept, when its history is not the one of this database. */
export async function bury(
  em: EntityManager,
  { id, workspaceId, type, content, history, traceparent }: Arrived,
  { reason, tries }: { reason: string; tries: number },
): Promise<boolean> {
  const [row] = await read(
    em,
    sql`with history as (select ${HISTORY} = ${history} as is_here),
      buried as (
        insert into dead_letter (event_id, workspace_id, type, event, reason, buried_at, tries, traceparent)
        select ${id ?? newId()}::uuid, ${isId(workspaceId) ? workspaceId : NO_WORKSPACE}::uuid, ${type},
          ${JSON.stringify(content)}::jsonb, ${reason}, clock_timestamp(), ${tries}::int, ${traceparent}
        from history where is_here
        on conflict (event_id) do nothing)
      select ${as('isHere', 'boolean', sql`coalesce(is_here, false)`)} from history`,
  );
  return row!.isHere;
}

/** Of one round. The others that there are come in the next. */
const MOST = 1_000;

type Letter = Awaited<ReturnType<typeof lettersPutBack>>[number];

/** What is in this database is of its history, whichever that was when the letter was buried. */
async function lettersPutBack(em: EntityManager) {
  return await read(
    em,
    sql`select ${columns(DeadLetterTable, 'eventId', 'type', 'event', 'traceparent')}, ${as('history', 'text', HISTORY)}
      from dead_letter where state = 'put_back' order by buried_at limit ${MOST}`,
  );
}

export interface PutBackParts {
  em: EntityManager;
  commands: EventRunner;
  appliedBy: { readonly [T in EventType]?: EventCommand<T> };
  log: Log;
}

/**
 * Applies what people have put back, once, as if it had just arrived; nobody is asked about what has come once more and was
 * applied. Several processes may do so at once.
 */
export async function applyPutBack(parts: PutBackParts, stopping?: AbortSignal): Promise<void> {
  await settleApplied(parts.em);
  for (const letter of await lettersPutBack(parts.em)) {
    if (stopping?.aborted) return;
    await stepOf(letter.traceparent, `hear ${letter.type}`, { kind: 'consumer' }, async () => {
      const came = await applyAgain(parts, letter);
      if (came) await settle(parts.em, letter, came);
    });
  }
}

interface Came {
  step: 'applied' | 'buried';
  reason: string | null;
}

/** Null where it was not decided, and the letter stays put back. */
async function applyAgain({ commands, appliedBy, log }: PutBackParts, letter: Letter): Promise<Came | null> {
  const about = { eventId: letter.eventId, eventType: letter.type };
  try {
    const event = { ...parseEvent(letter.event), history: letter.history };
    const command = appliedBy[event.type] as EventCommand | undefined;
    if (!command) throw new Error(`${event.type} is no event for this service`);
    const origin = systemOrigin(event.workspaceId, 'event', event.requestId);
    const applied = await commands.apply(command, event.body, event, origin);
    if (applied === 'elsewhere') return null;
    log.info(about, 'A dead letter was applied');
    return { step: 'applied', reason: null };
  } catch (thrown) {
    const error = asDomainError(thrown);
    const isOutage = error instanceof DomainError && error.code === 'SERVICE_UNAVAILABLE';
    log.warn({ ...about, error: errorForLog(error) }, 'A dead letter that was put back could not be applied');
    return isOutage ? null : { step: 'buried', reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Another copy of the event may succeed while this one uses up its tries, or later. `forgetEvents` keeps the note till then. */
async function settleApplied(em: EntityManager): Promise<void> {
  await write(
    em,
    sql`with settled as (
        update dead_letter set state = 'applied'
        where state in ('waiting', 'put_back')
          and exists (select from inbox_event where inbox_event.event_id = dead_letter.event_id)
        returning workspace_id, event_id)
      insert into dead_letter_step (id, workspace_id, event_id, step, at, reason)
      select gen_random_uuid(), workspace_id, event_id, 'applied', clock_timestamp(), 'The event had come once more.'
      from settled`,
  );
}

/**
 * Afterwards: should this process end in between, the inbox knows the event when the next round applies it. In another
 * history it stays put back: what came of it there has not come of it here.
 */
async function settle(em: EntityManager, { eventId, history }: Letter, { step, reason }: Came): Promise<void> {
  await write(
    em,
    sql`with settled as (
        update dead_letter set state = ${step === 'applied' ? 'applied' : 'waiting'}
        where event_id = ${eventId} and state = 'put_back' and ${HISTORY} = ${history} returning workspace_id, event_id)
      insert into dead_letter_step (id, workspace_id, event_id, step, at, reason)
      select ${newId()}::uuid, workspace_id, event_id, ${step}, clock_timestamp(), ${reason} from settled`,
  );
}
