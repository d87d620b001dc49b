import { expect, it } from 'vitest';
import { errorForLog } from './error.js';

it('keeps no text of a database error, which holds the statement and its values', () => {
  const driver = Object.assign(new Error("insert into worker (email) values ('ada@example.com')"), { code: '23505' });
  const logged = errorForLog(new Error('The command failed', { cause: driver }));
  expect(logged).toMatchObject({ message: 'The command failed', cause: { code: '23505' } });
  expect(JSON.stringify(logged)).not.toContain('ada@example.com');
});

it('leaves out what hangs on an error beside its message and code', () => {
  const logged = errorForLog(
    Object.assign(new Error('refused'), { code: 'ECONNREFUSED', request: { body: 'private' } }),
  );
  expect(logged).toMatchObject({ message: 'refused', code: 'ECONNREFUSED' });
  expect(JSON.stringify(logged)).not.toContain('private');
});
