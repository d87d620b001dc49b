import type { EdgeParts } from '@payroll/runtime';
import type { Faults } from './faults.js';
import type { Orders } from './orders.js';

export interface Provider extends EdgeParts {
  orders: Orders;
  /** What whoever orders has to know. */
  key: string;
  /** As the control calls have set them. */
  faults: Faults;
}
