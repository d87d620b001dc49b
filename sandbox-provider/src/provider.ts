import type { EdgeDependencies } from '@payroll/runtime';
import type { Faults } from './faults.js';
import type { Orders } from './orders.js';

export interface Provider extends EdgeDependencies {
  orders: Orders;
  /** The secret that the payer must present. */
  key: string;
  /** As the control calls have set them. */
  faults: Faults;
}
