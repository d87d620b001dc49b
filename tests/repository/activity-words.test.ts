import { expect, it } from 'vitest';
import { ACTS } from '../../console/src/sections/activity/words.js';
import { acts as contracts } from '../../services/contracts/src/service.js';
import { acts as payments } from '../../services/payments/src/service.js';
import { acts as review } from '../../services/review/src/service.js';
import { acts as workspaces } from '../../services/workspaces/src/service.js';

it('the application has words for exactly the acts that services show', () => {
  const shown = [contracts, review, payments, workspaces].flatMap((acts) => Object.keys(acts));
  expect(Object.keys(ACTS).toSorted()).toEqual(shown.toSorted());
});
