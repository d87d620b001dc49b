export {
  requireInternal,
  requireScope,
  ROLE_SCOPES,
  SCOPES,
  systemOrigin,
  type Actor,
  type Origin,
  type Role,
  type Scope,
} from './actor.js';
export { addDays, dayOf, isCalendarDate, type CalendarDate } from './calendar-date.js';
export { canonicalJson } from './canonical-json.js';
export {
  assertNever,
  DomainError,
  isErrorCode,
  notFound,
  unavailable,
  type DomainErrorOptions,
  type ErrorCode,
  type ErrorDetail,
} from './error.js';
export { errorForLog } from './error-for-log.js';
export { isId, newId } from './id.js';
export { instantOf, isInstant, toInstant, type Instant } from './instant.js';
export { currencyExponent, isDecimal, isPositiveDecimal, Money } from './money.js';
export { refuseProblems } from './refuse-problems.js';
export { follow, type StateMachine } from './state-machine.js';
export { isEmail, nameProblem, textProblem, type TextProblem } from './text.js';
