import { expect, test } from 'vitest';
import { fileProblem } from '../run-start.js';

test('names a file of another user and what to do; is undefined for other errors', () => {
  const error = Object.assign(new Error("EACCES: permission denied, open '/x/.local/lock'"), {
    ...{ code: 'EACCES', path: '/x/.local/lock' },
  });
  expect(fileProblem(error)).toBe(
    '/x/.local/lock cannot be written (EACCES): it belongs to somebody else: make it yours, or remove it',
  );
  expect(fileProblem(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))).toBeUndefined();
});
