import { graphql, type ResultOf } from '../../operations.js';

export const countWork = graphql(`
  query waitingWork {
    timesheets: reviewQueueCount(kind: timesheet)
    milestones: reviewQueueCount(kind: milestone)
  }
`);

/**
 * Ids alone, up to a hundred: what there is more of is said as "99+". Each side signs for itself, and one that has signed
 * waits for the other.
 */
export const countContracts = graphql(`
  query contractsThatWait {
    drafts: contracts(status: draft, limit: 100) {
      nodes {
        id
      }
    }
    toVerify: contracts(status: pending_verification, limit: 100) {
      nodes {
        id
      }
    }
    toSend: contracts(status: ready_for_signature, limit: 100) {
      nodes {
        id
      }
    }
    toSign: contracts(status: pending_signature, limit: 100) {
      nodes {
        details {
          businessSignedAt
        }
      }
    }
    toActivate: contracts(status: signed, limit: 100) {
      nodes {
        id
      }
    }
  }
`);

export const countPayments = graphql(`
  query paymentsThatNeedSomebody {
    failed: payments(status: failed, limit: 100) {
      nodes {
        id
      }
    }
    processing: payments(status: processing, limit: 100) {
      nodes {
        id
      }
    }
  }
`);

export const readDue = graphql(`
  query due {
    upcoming {
      weeks {
        week
        amount {
          amount
          currency
        }
        payments
      }
      shortfalls {
        day
        missing {
          amount
          currency
        }
      }
    }
  }
`);

export type Upcoming = ResultOf<typeof readDue>['upcoming'];
