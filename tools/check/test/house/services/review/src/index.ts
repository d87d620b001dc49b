export { approve } from './domain/approve.js';
export type { Timesheet } from './domain/approve.js';
