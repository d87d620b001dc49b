import { expect, it } from 'vitest';
import { ACTION_LABELS, factTexts } from '../../console/src/sections/activity/words.js';
import { TERMS_LABELS } from '../../services/contracts/src/domain/terms.js';
import { visibleActions as contracts } from '../../services/contracts/src/service.js';
import { visibleActions as payments } from '../../services/payments/src/service.js';
import { visibleActions as review } from '../../services/review/src/service.js';
import { visibleActions as workspaces } from '../../services/workspaces/src/service.js';

it('the application has words for exactly the actions that services show', () => {
  const shown = [contracts, review, payments, workspaces].flatMap((actions) => Object.keys(actions));
  expect(Object.keys(ACTION_LABELS).toSorted()).toEqual(shown.toSorted());
});

it('a change of terms shows each term that an amendment names, in words', () => {
  const { facts } = contracts['contract.terms-changed']!;
  expect(facts.toSorted()).toEqual(Object.keys(TERMS_LABELS).toSorted());
  const shown = factTexts({ facts: [{ name: 'timesheetApprovalRequired', from: 'true', to: 'false' }] });
  expect(shown).toEqual(['Timesheets need approval: yes → no']);
});
