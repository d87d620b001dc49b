import type { EdgeParts } from '@payroll/runtime';
import type { Faults } from './faults.js';
import type { Orders } from './orders.js';

export interface Provider extends EdgeParts {
  orders: Orders;
  /** The secret that the payer must present. */
  key: string;
  /** As the control calls have set them. */
  faults: Faults;
}
