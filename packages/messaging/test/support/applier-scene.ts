import type { Applied } from '@payroll/store';
import { EventApplier, type EventConsumerOptions } from '../../src/apply-event.js';
import { CatchUp } from '../../src/catch-up.js';
import type { SignsOfLife } from '../../src/signs-of-life.js';
import { FakeBus } from './fake-bus.js';
import { messageOf } from './fake-message.js';
import { memoryLog } from './memory-log.js';
import { see } from './told.js';

type Arrival = { event: { id: string } };

/** What applies events for review, beside a command runner and a bus whose other sides are the test. */
export class ApplierScene {
  readonly bus = new FakeBus();
  readonly log = memoryLog();
  readonly catchUp = new CatchUp();
  /** What was asked of the command runner: one event, or how many together. */
  readonly asked: (string | number)[] = [];
  /** What it says. */
  came: (of: { id: string }) => Applied | Promise<Applied> = () => 'applied';
  /** Before it applies several together. */
  together = (): void => undefined;
  /** What the publisher is to hear of this consumer. */
  readonly signs: string[] = [];
  readonly alive = {
    hurry: () => void this.signs.push('hurry'),
    caughtUp: () => void this.signs.push('caught up'),
  } as unknown as SignsOfLife;

  applier(appliedBy: EventConsumerOptions['appliedBy'] = { 'payment.created': see() }): EventApplier {
    const { bus, log } = this;
    const getNativeClient = () => Promise.reject(new Error('no database'));
    const em = { getConnection: () => ({ getNativeClient }), isInTransaction: () => false };
    const commands = {
      apply: async (_command: unknown, _input: unknown, event: { id: string }) => {
        this.asked.push(event.id);
        return await this.came(event);
      },
      applyAll: async (arrivals: readonly Arrival[]) => {
        this.asked.push(arrivals.length);
        this.together();
        return await Promise.all(arrivals.map(async ({ event }) => await this.came(event)));
      },
    };
    const options = { bus: bus.asBus, em, publisher: 'payments', service: 'review', log, commands, appliedBy };
    return new EventApplier(options as unknown as EventConsumerOptions, this.catchUp);
  }

  /** What it is answered with, once it has been worked on. */
  async answersTo(
    content: unknown,
    how: Parameters<typeof messageOf>[1] = {},
    applier = this.applier(),
  ): Promise<string[]> {
    const { message, answers } = messageOf(content, how);
    applier.enqueue(message, this.alive);
    await applier.idle();
    return answers;
  }
}
