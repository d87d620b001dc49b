import { serveNewestEvent, fetchNewestEvent } from '@payroll/commands';
import { newId } from '@payroll/kernel';
import { readGeneration } from '@payroll/store';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabases } from './databases.js';
import { emit } from './events.js';

type Handler = (body: unknown) => Promise<unknown>;

/** Asks and answers in this process. */
class LoopBus {
  readonly handlers = new Map<string, Handler>();

  answer(subject: string, _queue: string, handler: Handler): void {
    this.handlers.set(subject, handler);
  }

  async request(subject: string, body: unknown): Promise<unknown> {
    return await this.handlers.get(subject)!(JSON.parse(JSON.stringify(body)));
  }
}

const SUBJECT = 'ask.payments.event';

let bus: LoopBus;

const databases = await openDatabases('commands_newest');
const { em } = databases.payments;
afterAll(() => databases[Symbol.asyncDispose]());
beforeEach(() => {
  bus = new LoopBus();
  serveNewestEvent({ bus, em, service: 'payments' });
});

describe('ask', () => {
  it('returns the newest event about a subject with its generation, null without one', async () => {
    const about = await emit(em, 1);
    await emit(em, 2, about);
    await emit(em, 3, { workspaceId: about.workspaceId });
    const newest = await fetchNewestEvent(bus, ['payment.retried'], about);
    expect(newest).toMatchObject({
      type: 'payment.retried',
      body: { sequence: 2 },
      generation: await readGeneration(em),
    });
    expect(await fetchNewestEvent(bus, ['payment.retried'], { ...about, aboutId: newId() })).toBeNull();
    expect(await fetchNewestEvent(bus, ['payment.retried'], { ...about, workspaceId: newId() })).toBeNull();
  });

  it('returns only events of the requested types', async () => {
    const about = await emit(em, 1);
    expect(await fetchNewestEvent(bus, ['payment.failed', 'payment.retried'], about)).toMatchObject({
      body: { sequence: 1 },
    });
    expect(await fetchNewestEvent(bus, ['payment.failed'], about)).toBeNull();
  });

  it.each([
    null,
    {},
    { workspaceId: newId(), types: [] },
    { aboutId: newId(), types: [] },
    { workspaceId: 'mine', aboutId: newId(), types: [] },
    { workspaceId: newId(), aboutId: newId() },
  ])('does not answer %j', async (question) => {
    await expect(bus.request(SUBJECT, question)).rejects.toThrow('must be');
  });

  it('throws SERVICE_UNAVAILABLE for an answer without a generation', async () => {
    const about = await emit(em, 1);
    const handler = bus.handlers.get(SUBJECT)!;
    bus.handlers.set(SUBJECT, async (question) => ({
      ...((await handler(question)) as object),
      generation: undefined,
    }));
    await expect(fetchNewestEvent(bus, ['payment.retried'], about)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });
});
