export {
  requireInternal,
  requireScope,
  ROLE_SCOPES,
  SCOPES,
  STAFF_TEAMS,
  systemOrigin,
  teamOf,
  TEAMS,
  type Actor,
  type PersonActor,
  type Origin,
  type Role,
  type Scope,
  type StaffActor,
  type StaffTeam,
  type Team,
} from './actor.js';
export { addDays, dayOf, isCalendarDate, type CalendarDate } from './calendar-date.js';
export { Batches, type BatchesOptions } from './batches.js';
export { byName } from './by-name.js';
export { canonicalJson } from './canonical-json.js';
export {
  assertNever,
  DomainError,
  ERROR_CODES,
  isErrorCode,
  notFound,
  unavailable,
  type DomainErrorOptions,
  type ErrorCode,
  type ErrorDetail,
} from './error.js';
export { errorForLog } from './error-for-log.js';
export { isId, newId } from './id.js';
export { instantOf, isInstant, msBetween, toInstant, type Instant } from './instant.js';
export { currencyExponent, isCurrency } from './currency.js';
export { isDecimal, isPositiveDecimal, Money } from './money.js';
export { amountProblem, rateProblem, type PayableProblem } from './payable.js';
export { refuseProblems } from './refuse-problems.js';
export { follow, type StateMachine } from './state-machine.js';
export { isEmail, nameProblem, textProblem, type TextProblem } from './text.js';
export {
  CONTRACT_STATUSES,
  type ContractStatus,
  EMPLOYMENT_TYPE_OF,
  EMPLOYMENT_TYPES,
  type EmploymentType,
  CONTRACT_TYPES,
  type ContractType,
} from './words/contract.js';
export {
  EXCLUSIVITIES,
  type Exclusivity,
  IP_OWNERSHIPS,
  type IpOwnership,
  CREATOR_PLATFORMS,
  type CreatorPlatform,
  CREATOR_FORMATS,
  type CreatorFormat,
} from './words/creator.js';
export {
  DEPARTMENTS,
  type Department,
  SENIORITIES,
  type Seniority,
  EMPLOYMENT_SUBTYPES,
  type EmploymentSubtype,
  DISPUTE_RESOLUTION_METHODS,
  type DisputeResolutionMethod,
  COMPENSATION_TYPES,
  type CompensationType,
  FREQUENCIES,
  type Frequency,
  SALARY_UNITS,
  type SalaryUnit,
  PAYMENT_METHODS,
  type PaymentMethod,
  FIRST_PAYMENT_METHODS,
  type FirstPaymentMethod,
  TIMESHEET_SUBMITTERS,
  type TimesheetSubmitter,
  BENEFIT_FREQUENCIES,
  type BenefitFrequency,
} from './words/draft.js';
export { SERVICE_PORTS, SERVICES, type ServiceName } from './words/services.js';
export {
  TIMESHEET_STATUSES,
  type TimesheetStatus,
  MILESTONE_STATUSES,
  type MilestoneStatus,
  PAYMENT_STATUSES,
  type PaymentStatus,
  PAYMENT_SOURCES,
  type PaymentSource,
  FAILURE_REASONS,
  type FailureReason,
  KYB_STATUSES,
  type KybStatus,
} from './words/work.js';
export {
  holdersOf,
  INTERNAL,
  MANAGERS,
  MEMBERS,
  NOBODY,
  peopleOf,
  requireWhoMay,
  SYSTEM_ONLY,
  type WhoMay,
} from './who-may.js';
