export {
  holdersOf,
  INTERNAL,
  MANAGERS,
  MEMBERS,
  NOBODY,
  peopleOf,
  requireInternal,
  requireScope,
  requireWhoMay,
  ROLE_SCOPES,
  SCOPES,
  STAFF_TEAMS,
  SYSTEM_ONLY,
  systemOrigin,
  teamOf,
  TEAMS,
  type Actor,
  type Origin,
  type PersonActor,
  type Role,
  type Scope,
  type StaffActor,
  type StaffTeam,
  type Team,
  type WhoMay,
} from './actor.js';
export { Batches } from './batches.js';
export {
  DomainError,
  ERROR_CODES,
  errorForLog,
  isErrorCode,
  notFound,
  refuseProblems,
  unavailable,
  type DomainErrorOptions,
  type ErrorCode,
  type ErrorDetail,
} from './error.js';
export { amountProblem, isCurrency, isDecimal, isPositiveDecimal, Money, rateProblem } from './money.js';
export { byName, SERVICE_PORTS, SERVICES, type ServiceName } from './services.js';
export { follow, type StateMachine } from './state-machine.js';
export { canonicalJson, isEmail, isId, nameProblem, newId, textProblem } from './text.js';
export {
  addDays,
  dayOf,
  instantOf,
  isCalendarDate,
  isInstant,
  msBetween,
  toInstant,
  type CalendarDate,
  type Instant,
} from './time.js';
export { EMPLOYMENT_TYPE_OF } from './words.js';
export { CONTRACT_STATUSES, type ContractStatus } from './words.js';
export { EMPLOYMENT_TYPES, type EmploymentType } from './words.js';
export { CONTRACT_TYPES, type ContractType } from './words.js';
export { DEPARTMENTS, type Department } from './words.js';
export { SENIORITIES, type Seniority } from './words.js';
export { EMPLOYMENT_SUBTYPES, type EmploymentSubtype } from './words.js';
export { DISPUTE_RESOLUTION_METHODS, type DisputeResolutionMethod } from './words.js';
export { COMPENSATION_TYPES, type CompensationType } from './words.js';
export { FREQUENCIES, type Frequency } from './words.js';
export { SALARY_UNITS, type SalaryUnit } from './words.js';
export { PAYMENT_METHODS, type PaymentMethod } from './words.js';
export { FIRST_PAYMENT_METHODS, type FirstPaymentMethod } from './words.js';
export { TIMESHEET_SUBMITTERS, type TimesheetSubmitter } from './words.js';
export { BENEFIT_FREQUENCIES, type BenefitFrequency } from './words.js';
export { EXCLUSIVITIES, type Exclusivity } from './words.js';
export { IP_OWNERSHIPS, type IpOwnership } from './words.js';
export { CREATOR_PLATFORMS, type CreatorPlatform } from './words.js';
export { CREATOR_FORMATS, type CreatorFormat } from './words.js';
export { TIMESHEET_STATUSES, type TimesheetStatus } from './words.js';
export { MILESTONE_STATUSES, type MilestoneStatus } from './words.js';
export { PAYMENT_STATUSES, type PaymentStatus } from './words.js';
export { PAYMENT_SOURCES, type PaymentSource } from './words.js';
export { FAILURE_REASONS, type FailureReason } from './words.js';
export { KYB_STATUSES, type KybStatus } from './words.js';
