import { expect, it } from 'vitest';
import { ACTION_LABELS } from '../../console/src/sections/activity/words.js';
import { visibleActions as contracts } from '../../services/contracts/src/service.js';
import { visibleActions as payments } from '../../services/payments/src/service.js';
import { visibleActions as review } from '../../services/review/src/service.js';
import { visibleActions as workspaces } from '../../services/workspaces/src/service.js';

it('the application has words for exactly the actions that services show', () => {
  const shown = [contracts, review, payments, workspaces].flatMap((actions) => Object.keys(actions));
  expect(Object.keys(ACTION_LABELS).toSorted()).toEqual(shown.toSorted());
});
