import { activityPages } from './rooms/activity/activity.js';
import { contractActPages } from './rooms/contracts/acts/pages.js';
import { contractPages } from './rooms/contracts/contracts.js';
import { reviewPages } from './rooms/review/review.js';
import { overviewPages } from './rooms/overview/overview.js';
import { editWorkerPages } from './rooms/workers/edit-worker.js';
import { payoutDetailsPages } from './rooms/workers/payout-details.js';
import { workerPages } from './rooms/workers/workers.js';
import { moneyPages } from './rooms/money/money.js';
import { paymentPages } from './rooms/payments/payments.js';
import { sandboxPages } from './rooms/sandbox/sandbox.js';
import { type RouteTable, withTypedForms } from './routes.js';

/** Every page there is. */
export const pages: RouteTable = withTypedForms({
  ...overviewPages,
  ...contractPages,
  ...reviewPages,
  ...contractActPages,
  ...workerPages,
  ...editWorkerPages,
  ...payoutDetailsPages,
  ...moneyPages,
  ...paymentPages,
  ...activityPages,
  ...sandboxPages,
});
