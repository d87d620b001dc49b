import { INBOX_FACTOR, LEAST_EVENT_DAYS } from '@payroll/store';
import { expect, it } from 'vitest';
import { NOTED_DAYS } from '../care/judgements.js';

it('reconcile asks what was applied for as long as Postgres keeps the notes of it', () => {
  expect(NOTED_DAYS).toBe(INBOX_FACTOR * LEAST_EVENT_DAYS);
});
