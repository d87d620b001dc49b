import { DomainError } from '@payroll/kernel';
import { describe, expect, it } from 'vitest';
import { mapDatabaseError, isDataError } from './database-error.js';

function withCode(code: string, cause?: unknown): Error {
  return Object.assign(new Error(`select 'a secret'`, { cause }), { code });
}

describe('"not now" becomes SERVICE_UNAVAILABLE', () => {
  it.each([
    ['08000', 'connection exception'],
    ['08006', 'connection failure'],
    ['08P01', 'protocol violation'],
    ['53300', 'too many connections'],
    ['53100', 'disk full'],
    ['57P01', 'admin shutdown'],
    ['57P02', 'crash shutdown'],
    ['57P03', 'cannot connect now'],
    ['57014', 'statement time-out'],
    ['55P03', 'lock time-out'],
    ['25P03', 'idle transaction time-out'],
    ['25P04', 'transaction time-out'],
    ['40001', 'serialization failure'],
    ['40P01', 'deadlock'],
    ['25006', 'a read-only server'],
    ['55000', 'a server in recovery'],
    ['28P01', 'a password that is being changed'],
    ['3D000', 'a database that is being replaced'],
    ['58030', 'a failing disk'],
    ['58P01', 'a file that is not there'],
    ['EAI_AGAIN', 'a resolver that cannot answer'],
    ['ENETUNREACH', 'no network'],
    ['ECONNREFUSED', 'nobody listens'],
    ['ECONNRESET', 'hung up'],
    ['EPIPE', 'hung up while we wrote'],
    ['ETIMEDOUT', 'no answer'],
    ['ENOTFOUND', 'no such host'],
    ['EHOSTUNREACH', 'no way there'],
  ])('%s: %s', (code) => {
    expectUnavailable(withCode(code));
  });

  it.each([
    'Connection terminated unexpectedly',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
  ])('without a code: %s', (message) => {
    expectUnavailable(new Error(message));
  });

  it('through causes of causes', () => {
    expectUnavailable(new Error('outer', { cause: withCode('23505', withCode('40P01')) }));
    expectUnavailable(new Error('outer', { cause: new Error('inner', { cause: withCode('ECONNRESET') }) }));
  });

  it('keeps the error as its cause and hides it from the caller', () => {
    const error = withCode('55P03');
    const refused = mapDatabaseError(error) as DomainError;
    expect(refused.cause).toBe(error);
    expect(refused.retryAfterSeconds).toBeGreaterThan(0);
    expect(refused.message).not.toContain('secret');
  });
});

it.each(['22021', '22P05'])('%s, which says that a text has U+0000, becomes INVALID_REQUEST', (code) => {
  const error = new Error('outer', { cause: withCode(code) });
  const refused = mapDatabaseError(error);
  expect(refused).toMatchObject({ code: 'INVALID_REQUEST', cause: error });
  expect(isDataError(refused)).toBe(true);
});

describe('Postgres refuses the values themselves', () => {
  it.each([
    ['22012', true],
    ['23505', true],
    ['40001', false],
    ['42P01', false],
  ])('%s: %s', (code, expected) => {
    expect(isDataError(new Error('outer', { cause: withCode(code) }))).toBe(expected);
  });

  it('is false for other errors and for values that are not errors', () => {
    expect([new TypeError('a mistake of ours'), undefined, '22012'].map(isDataError)).toEqual([false, false, false]);
  });
});

describe('other errors are returned unchanged', () => {
  it.each([
    ['23505', 'unique violation'],
    ['23503', 'foreign key violation'],
    ['23514', 'check violation'],
    ['22P02', 'not of this type'],
    ['22003', 'number out of range'],
    ['42501', 'no right to it'],
    ['42P01', 'no such table'],
    ['42601', 'syntax error'],
    ['25P02', 'a statement after one that failed: whoever went on is mistaken'],
    ['XX000', 'internal error'],
    ['ERR_INVALID_ARG_TYPE', 'a mistake of ours'],
    ['EACCES', 'no right to a file'],
    ['408001', 'longer than a SQLSTATE'],
  ])('%s: %s', (code) => {
    const error = withCode(code);
    expect(mapDatabaseError(error)).toBe(error);
  });

  it('a programming error as a cause of a cause', () => {
    const error = new Error('outer', { cause: withCode('23505', new TypeError('inner')) });
    expect(mapDatabaseError(error)).toBe(error);
  });

  it('an error whose code is not text, or that has none', () => {
    for (const error of [Object.assign(new Error('by number'), { code: 40001 }), new Error('without')]) {
      expect(mapDatabaseError(error)).toBe(error);
    }
  });

  it('a refusal', () => {
    const refused = new DomainError('INVALID_STATE', 'Not in this state.');
    expect(mapDatabaseError(refused)).toBe(refused);
  });

  it.each([[undefined], [null], ['40001'], [40001], [{ code: '40001' }]])('%j, which is not an error', (thrown) => {
    expect(mapDatabaseError(thrown)).toBe(thrown);
  });
});

function expectUnavailable(error: Error): void {
  const refused = mapDatabaseError(error);
  expect(refused).toBeInstanceOf(DomainError);
  expect(refused).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
}
