import { graphql, type ResultOf } from '../../operations.js';

const WORK = 'nodes { amount { amount currency } submittedAt }';

/** Up to 100 of each, oldest first; 100 are shown as "99+". */
export const countWork = graphql(`
  query waitingWork {
    timesheets: reviewQueue(kind: timesheet, limit: 100) { ${WORK} }
    milestones: reviewQueue(kind: milestone, limit: 100) { ${WORK} }
  }`);

const IDS = 'nodes { id }';

/** Each side signs for itself, and one that has signed waits for the other. */
export const countContracts = graphql(`
  query contractsThatWait {
    drafts: contracts(status: draft, limit: 100) { ${IDS} }
    toVerify: contracts(status: pending_verification, limit: 100) { ${IDS} }
    toSend: contracts(status: ready_for_signature, limit: 100) { ${IDS} }
    toSign: contracts(status: pending_signature, limit: 100) { nodes { details { businessSignedAt } } }
    toActivate: contracts(status: signed, limit: 100) { ${IDS} }
    active: contracts(status: active, limit: 1) { ${IDS} }
    workers(limit: 1) { ${IDS} }
  }`);

const PAID = 'nodes { netAmount { amount currency } createdAt failureReason }';

/** Payments, newest first. */
export const readMoney = graphql(`
  query moneyThatMatters {
    failed: payments(status: failed, limit: 100) { ${PAID} }
    processing: payments(status: processing, limit: 100) { ${PAID} }
    any: payments(limit: 1) { ${IDS} }
    balances { available { amount currency } }
    upcoming {
      weeks { week amount { amount currency } payments }
      shortfalls { day missing { amount currency } }
    }
  }`);

export type MoneyRead = ResultOf<typeof readMoney>;
