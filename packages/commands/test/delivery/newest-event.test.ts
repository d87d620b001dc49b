import { newId } from '@payroll/kernel';
import { answerAsk, ask, resumeTrace } from '@payroll/messaging';
import { readHistory } from '@payroll/store';
import { currentTraceparent, startTracing } from '@payroll/telemetry';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabases, type Databases } from './support/databases.js';
import { FakeBus } from './support/fake-bus.js';
import { tell } from './support/told.js';

let databases: Databases;
let em: Databases['payments']['em'];
let bus: FakeBus;

beforeAll(async () => {
  databases = await openDatabases('messaging_newest');
  ({ em } = databases.payments);
});
afterAll(() => databases[Symbol.asyncDispose]());
beforeEach(() => {
  bus = new FakeBus();
  answerAsk({ bus: bus.asBus, em, service: 'payments' });
});

const subject = 'ask.payments.event';

describe('the newest event about a thing', () => {
  it('is told with its history, and none where nothing was told of it', async () => {
    const about = await tell(em, 1);
    await tell(em, 2, undefined, about);
    await tell(em, 3, undefined, { workspaceId: about.workspaceId });
    const newest = await ask(bus.asBus, ['payment.created'], about);
    expect(newest).toMatchObject({ type: 'payment.created', body: { sequence: 2 }, history: await readHistory(em) });
    expect(await ask(bus.asBus, ['payment.created'], { ...about, aboutId: newId() })).toBeNull();
    expect(await ask(bus.asBus, ['payment.created'], { ...about, workspaceId: newId() })).toBeNull();
  });

  it('is one of the types that were asked for', async () => {
    const about = await tell(em, 1);
    expect(await ask(bus.asBus, ['payment.failed', 'payment.created'], about)).toMatchObject({ body: { sequence: 1 } });
    expect(await ask(bus.asBus, ['payment.failed'], about)).toBeNull();
    expect(await ask(bus.asBus, [], about)).toBeNull();
  });

  it('is asked for so that an older version understands it, where it can', async () => {
    const about = { workspaceId: newId(), aboutId: newId() };
    await ask(bus.asBus, ['payment.created'], about);
    await ask(bus.asBus, ['payment.created', 'payment.failed'], about);
    await ask(bus.asBus, [], about);
    expect(bus.said).toEqual([
      { subject, body: { ...about, types: ['payment.created'], type: 'payment.created' } },
      { subject, body: { ...about, types: ['payment.created', 'payment.failed'] } },
    ]);
  });

  it('is told to an older version, which names one type or none', async () => {
    const about = await tell(em, 1);
    const answer = bus.answers.get(subject)!;
    expect(await answer({ ...about, type: 'payment.created' })).toMatchObject({ body: { sequence: 1 } });
    expect(await answer({ ...about, type: 'payment.failed' })).toBeNull();
    expect(await answer(about)).toMatchObject({ body: { sequence: 1 } });
    expect(await answer({ ...about, types: ['payment.created', 7] })).toMatchObject({ body: { sequence: 1 } });
  });

  it.each([null, {}, { workspaceId: newId() }, { aboutId: newId() }, { workspaceId: 'mine', aboutId: newId() }])(
    'is not told to who asks %j',
    async (question) => {
      await expect(bus.answers.get(subject)!(question)).rejects.toThrow('by their ids');
    },
  );

  it('is not believed without its history', async () => {
    const about = await tell(em, 1);
    const answer = bus.answers.get(subject)!;
    bus.answers.set(subject, async (question) => ({ ...((await answer(question)) as object), history: undefined }));
    await expect(ask(bus.asBus, ['payment.created'], about)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

describe('a trace', () => {
  const traceparent = `00-${'1'.repeat(32)}-${'a'.repeat(16)}-01`;

  /** A thing that last changed in that trace. */
  async function changed(): Promise<{ workspaceId: string; aboutId: string }> {
    const about = await tell(em, 1);
    await em.execute(`update outbox_event set traceparent = '${traceparent}' where about_id = '${about.aboutId}'`);
    await em.execute(`update outbox_event set recorded_at = now() where about_id = '${about.aboutId}'`);
    await tell(em, 2, undefined, about);
    return about;
  }
  const traceOf = async (about: { workspaceId: string; aboutId: string }): Promise<string | undefined> =>
    (await resumeTrace(em, about, 'pay', () => Promise.resolve(currentTraceparent())))?.split('-')[1];

  it('is not kept where nobody traces', async () => {
    expect(await traceOf(await changed())).toBeUndefined();
  });

  it('goes on with what happens within an hour; later begins another', async () => {
    await using _tracing = await startTracing('payments', { ratio: 1, exportEveryMs: 60_000 });
    const about = await changed();
    expect(await traceOf(about)).toBe('1'.repeat(32));
    await em.execute(
      `update outbox_event set recorded_at = now() - interval '61 min' where about_id = '${about.aboutId}'`,
    );
    expect(await traceOf(about)).toMatch(/^(?!1{32})[0-9a-f]{32}$/);
  });

  it('is its own of a thing that did not change in any', async () => {
    await using _tracing = await startTracing('payments', { ratio: 1, exportEveryMs: 60_000 });
    expect(await traceOf({ workspaceId: newId(), aboutId: newId() })).toMatch(/^[0-9a-f]{32}$/);
  });
});
