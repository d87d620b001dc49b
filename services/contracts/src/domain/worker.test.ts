import { expect, it } from 'vitest';
import { problemsOfWorker } from './worker.js';

it.each([
  ['Grace Example', 'grace@worker.example', []],
  ['', 'grace@worker.example', [{ path: 'name', code: 'too_short' }]],
  ['Grace Example', 'grace', [{ path: 'email', code: 'invalid_format' }]],
  [
    '',
    '',
    [
      { path: 'name', code: 'too_short' },
      { path: 'email', code: 'invalid_format' },
    ],
  ],
])('%j with %j: %j', (name, email, problems) => {
  expect(problemsOfWorker({ name, email })).toEqual(problems);
});
