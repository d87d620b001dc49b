import { contractPages } from './rooms/contracts/contracts.js';
import { reviewPages } from './rooms/review/review.js';
import { workerPages } from './rooms/workers/workers.js';
import type { RouteTable } from './routes.js';

/** Every page there is. */
export const pages: RouteTable = {
  ...contractPages,
  ...reviewPages,
  ...workerPages,
};
