import { expect, it } from 'vitest';
import { DomainError, ERROR_CODES, errorForLog, isErrorCode, throwIfInvalid, unavailable } from './error.js';

it('omits the text of a database error, which contains the statement and its values', () => {
  const driver = Object.assign(new Error("insert into worker (email) values ('ada@example.com')"), { code: '23505' });
  const logged = errorForLog(new Error('The command failed', { cause: driver }));
  expect(logged).toMatchObject({ message: 'The command failed', cause: { code: '23505' } });
  expect(JSON.stringify(logged)).not.toContain('ada@example.com');
});

it('omits properties of an error other than its message and code', () => {
  const logged = errorForLog(
    Object.assign(new Error('refused'), { code: 'ECONNREFUSED', request: { body: 'private' } }),
  );
  expect(logged).toMatchObject({ message: 'refused', code: 'ECONNREFUSED' });
  expect(JSON.stringify(logged)).not.toContain('private');
});

it('reports at most five stack frames, without the message in them', () => {
  const deep = (n: number): Error => (n === 0 ? new RangeError('at the bottom\n    at no place') : deep(n - 1));
  const logged = errorForLog(deep(9)) as { name: string; at: string[] };
  expect(Object.keys(logged)).toEqual(['name', 'message', 'at']);
  expect(logged.name).toBe('RangeError');
  expect(logged.at).toHaveLength(5);
  for (const place of logged.at.slice(1)) expect(place).toMatch(/^at deep \(.+error\.test\.ts:\d+:\d+\)$/);
});

it('omits a code that is not text, and the value of a non-error', () => {
  const odd = Object.assign(new Error('odd', { cause: 'a secret' }), { code: 42 });
  odd.stack = undefined as never;
  expect(errorForLog(odd)).toEqual({ name: 'Error', message: 'odd', at: undefined, cause: { name: 'string' } });
  expect(errorForLog(Object.assign(new Error('long'), { code: 'E23505' }))).toMatchObject({ message: 'long' });
  expect(errorForLog(null)).toEqual({ name: 'object' });
});

it('recognizes exactly the defined codes', () => {
  expect(ERROR_CODES.every(isErrorCode)).toBe(true);
  expect(['', 'not_found', undefined, 404].some(isErrorCode)).toBe(false);
});

it('throws if there is a problem, naming each', () => {
  expect(() => throwIfInvalid([], 'Nothing.')).not.toThrow();
  const problems = [{ path: 'name', code: 'required' }];
  expect(() => throwIfInvalid(problems, 'It needs a name.')).toThrow(
    expect.objectContaining({ code: 'VALIDATION_FAILED', message: 'It needs a name.', details: problems }),
  );
});

it('includes when to retry, and keeps the cause', () => {
  const cause = new Error('no route');
  expect(unavailable('Review', cause)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1, cause });
  expect('cause' in new DomainError('NOT_FOUND', 'It was not found.')).toBe(false);
});
