import { EventFormatError } from '@payroll/events';
import { DomainError, errorForLog } from '@payroll/kernel';
import { isDataFault } from '@payroll/store';
import type { JsMsg } from 'nats';
import type { Arrived } from './arrived.js';
import { bury } from './dead-letters.js';
import { backOffMs } from './pacing.js';
import type { ConsumerParts } from './signs-of-life.js';

/** Failures, outages aside, after which an event is buried or held: about 4 s, before it is published again. */
const MAX_FAILURES = 5;

/** Only `applied` and `buried` are confirmed: `held` is offered again, as a newer version may be able to apply it. */
export type Outcome = 'applied' | 'ignored' | 'dropped' | 'held' | 'buried' | 'postponed' | 'retried';

/** What becomes of events that could not be applied. */
export class FailedEvents {
  /** By event id, in this process. Outages do not count. */
  private readonly failures = new Map<string, number>();

  constructor(private readonly options: ConsumerParts) {}

  /** Once it is out of the stream. */
  forget({ id }: Arrived): void {
    if (id !== null) this.failures.delete(id);
  }

  async outcomeOf(message: JsMsg, arrived: Arrived, error: unknown): Promise<Outcome> {
    const { log } = this.options;
    const about = { ...this.describe(arrived), error: errorForLog(error) };
    if (error instanceof DomainError && error.code === 'SERVICE_UNAVAILABLE') {
      log.warn(about, 'An event cannot be applied at the moment');
      message.nak(backOffMs(message.info.redeliveryCount, 250, 2_000));
      return 'postponed';
    }
    const failures = this.count(arrived);
    if (failures < MAX_FAILURES && !(error instanceof EventFormatError)) {
      log.warn({ ...about, failures }, 'An event failed and is tried again');
      message.nak(backOffMs(failures, 250, 2_000));
      return 'retried';
    }
    // A retry would not change a refusal or bad values. A form that cannot be read may be a newer publisher's.
    const isOwnFault = error instanceof DomainError || isDataFault(error);
    if (isOwnFault || arrived.id === null) return await this.bury(message, arrived, error, failures);
    log.error(about, 'An event that this version cannot apply is held');
    return 'held';
  }

  drop(arrived: Arrived): 'dropped' {
    this.options.log.warn(this.describe(arrived), 'An event of another history of the database was dropped');
    return 'dropped';
  }

  describe({ id, type, requestId }: Arrived): object {
    return { requestId, eventId: id, eventType: type, publisher: this.options.publisher };
  }

  private async bury(message: JsMsg, arrived: Arrived, error: unknown, tries: number): Promise<Outcome> {
    const reason = error instanceof Error ? error.message : String(error);
    const { em, log } = this.options;
    const about = { ...this.describe(arrived), error: errorForLog(error) };
    try {
      if (!(await bury(em, arrived, { reason, tries }))) return this.drop(arrived);
    } catch (burialError) {
      log.warn({ ...about, burialError: errorForLog(burialError) }, 'An event can neither be applied nor buried now');
      message.nak(5_000);
      return 'postponed';
    }
    // Confirmed too: this service has stored it, and offering it again would only bring it back here.
    log.error(about, 'An event was buried as a dead letter');
    return 'buried';
  }

  private count({ id }: Arrived): number {
    if (id === null) return MAX_FAILURES;
    const failures = (this.failures.get(id) ?? 0) + 1;
    this.failures.set(id, failures);
    return failures;
  }
}
