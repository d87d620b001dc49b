import type { OperationName } from '@payroll/public-api';
import { contractOperations } from './operations/contracts.js';
import type { Explanation } from './operations/explanation.js';
import { milestoneOperations } from './operations/milestones.js';
import { moneyOperations } from './operations/money.js';
import { timesheetOperations } from './operations/timesheets.js';

/** Every operation explained: a new one does not compile without. */
export const explanations: Readonly<Record<OperationName, Explanation>> = {
  ...contractOperations,
  ...timesheetOperations,
  ...milestoneOperations,
  ...moneyOperations,
};
