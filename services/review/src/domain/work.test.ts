import { expect, it } from 'vitest';
import { paymentIdOf } from './work.js';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';

it('a piece of work has the same payment id in every process, release and database generation', () => {
  expect(paymentIdOf('milestone', ID)).toBe('369b9ccd-6f52-8d92-8187-6c67e13be1ea');
  expect(paymentIdOf('timesheet', ID)).toBe('2d9de3f4-7d6f-8766-8701-f5dc089d2939');
});
