export { toAdmins, toEverybody, type ShownActs } from './activity.js';
export { byKeys, keysOf } from './by-keys.js';
export {
  Calendar,
  CalendarTable,
  DAYS_AHEAD,
  daysAhead,
  daysStillAhead,
  moveCalendarInSandbox,
  readDaysAhead,
} from './calendar.js';
export { serve, serviceCommands } from './commands.js';
export { serviceSettings, type ProcessConfig } from './config.js';
export type { ServiceDefinition, ServiceParts } from './definition.js';
export { deferWork, DeferredWorkTable, notDeferred, observeDeferredWork, startRunner } from './runner.js';
export { defineSandboxCommand, SandboxCommand, sandboxVersionOf } from './sandbox.js';
export { learnBy, startService } from './serve.js';
