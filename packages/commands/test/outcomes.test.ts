import { Commands, clearExpiredOutcomes } from '@payroll/commands';
import { DECIDED_CODES, derivedId, DomainError, ERROR_CODES, newId, type Origin } from '@payroll/kernel';
import { sql, write } from '@payroll/store';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { thingSchema } from './databases.js';
import { TestDatabase } from '../../store/test/databases.js';
import { counts, makeThing, makeUnless, NOTHING, ONCE, originOf, refusal } from './things.js';

let workspaceId: string;
/** The callbacks that the command has called: replayed, refusal recorded. */
let noted: string[];
let origin: Origin;

const database = await TestDatabase.open('commands_outcomes', thingSchema);
const [em, otherEm] = [await database.process(), await database.process()];
const commands = new Commands({ em });
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(() => {
  workspaceId = newId();
  noted = [];
  origin = {
    ...originOf(workspaceId),
    onReplay: () => void noted.push('replayed'),
    onRefusalRecorded: () => void noted.push('recorded'),
  };
});

const make = (operationId: string, name = 'a') => commands.run(makeThing, { name }, { ...origin, operationId });
const refuse = (operationId: string) => commands.run(makeUnless(refusal), { name: 'a' }, { ...origin, operationId });

/** Makes an operation older by the interval. */
async function agedBy(interval: string, operationId: string): Promise<void> {
  await write(
    em,
    sql`update applied_operation set applied_at = applied_at - ${interval}::interval where operation_id = ${operationId}`,
  );
}

describe('callbacks of an operation', () => {
  it('report a replay from the second time on', async () => {
    const operationId = newId();
    await make(operationId);
    expect(noted).toEqual([]);
    await make(operationId);
    expect(noted).toEqual(['replayed']);
  });

  it('report that a refusal is recorded, the first time and every other', async () => {
    const operationId = newId();
    await expect(refuse(operationId)).rejects.toMatchObject({ code: refusal().code });
    expect(noted).toEqual(['recorded']);
    await expect(refuse(operationId)).rejects.toMatchObject({ code: refusal().code });
    expect(noted).toEqual(['recorded', 'recorded']);
  });
});

describe('a refusal', () => {
  const codes = ERROR_CODES.map((code) => [code, DECIDED_CODES.has(code)] as const);

  it.each(codes)('with the code %s is recorded: %s', async (code, isRecorded) => {
    const operationId = newId();
    let error: Error | null = new DomainError(code, 'Not now.');
    const run = () =>
      commands.run(
        makeUnless(() => error),
        { name: 'a' },
        { ...origin, operationId },
      );
    await expect(run()).rejects.toMatchObject({ code });
    expect(noted).toEqual(isRecorded ? ['recorded'] : []);
    expect(await counts(em, workspaceId)).toEqual({ ...NOTHING, applied_operation: isRecorded ? 1 : 0 });
    error = null;
    if (isRecorded) await expect(run()).rejects.toMatchObject({ code });
    else await run();
    expect(await counts(em, workspaceId)).toEqual(isRecorded ? { ...NOTHING, applied_operation: 1 } : ONCE);
  });
});

describe('an operation whose id is derived from its request', () => {
  it('replays even if this release parses the input differently', async () => {
    const operationId = derivedId('principal', newId(), 'fingerprint');
    const first = await make(operationId);
    expect(await make(operationId, 'with a new default')).toEqual(first);
    expect(await counts(em, workspaceId)).toEqual(ONCE);
  });

  it('does not replay for another command', async () => {
    const operationId = derivedId('principal', newId(), 'fingerprint');
    await make(operationId);
    const other = commands.run({ ...makeThing, name: 'thing.copy' }, { name: 'a' }, { ...origin, operationId });
    await expect(other).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(noted).toEqual([]);
  });
});

describe('an outcome', () => {
  const EXPIRED = { code: 'OPERATION_EXPIRED' };

  it('is returned for 7 days by the database clock, whether or not retention has run', async () => {
    const operationId = newId();
    const first = await make(operationId);
    await agedBy('6 days 23 hours 59 minutes 50 s', operationId);
    expect(await make(operationId)).toEqual(first);
    await agedBy('10 s', operationId);
    await expect(make(operationId)).rejects.toMatchObject(EXPIRED);
    await clearExpiredOutcomes(em, 7);
    await expect(make(operationId)).rejects.toMatchObject(EXPIRED);
    expect(await counts(em, workspaceId)).toEqual(ONCE);
  });

  it('that has expired still belongs to one request', async () => {
    const operationId = newId();
    await make(operationId);
    await agedBy('7 days', operationId);
    await expect(make(operationId, 'b')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('of a refusal expires as well, and is then no longer reported as recorded', async () => {
    const operationId = newId();
    await expect(refuse(operationId)).rejects.toMatchObject({ code: refusal().code });
    await agedBy('7 days', operationId);
    await expect(refuse(operationId)).rejects.toMatchObject(EXPIRED);
    expect(noted).toEqual(['recorded']);
  });

  it('is deleted after 7 days by any number of processes, but its id never', async () => {
    const [old, young] = [newId(), newId()];
    for (const operationId of [old, young]) await make(operationId, operationId);
    await clearExpiredOutcomes(em, 7);
    await agedBy('7 days 1 s', old);
    const forgotten = await Promise.all([clearExpiredOutcomes(em, 7), clearExpiredOutcomes(otherEm, 7)]);
    expect(forgotten[0] + forgotten[1]).toBe(1);
    await expect(make(old, old)).rejects.toMatchObject(EXPIRED);
    expect(await make(young, young)).toBeDefined();
  });
});
