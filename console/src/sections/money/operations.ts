import { graphql, type ResultOf } from '../../operations.js';

export const readMoney = graphql(`
  query money {
    balances {
      available {
        amount
        currency
      }
      pending {
        amount
        currency
      }
      asOf
      owedToWorkers {
        amount
        currency
      }
      owedByWorkers {
        amount
        currency
      }
    }
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
        missingInAll {
          amount
          currency
        }
      }
    }
    fundingReference
    failed: payments(status: failed, limit: 100) {
      nodes {
        failureReason
      }
    }
  }
`);

export type MoneyRead = ResultOf<typeof readMoney>;
export type Week = MoneyRead['upcoming']['weeks'][number];
export type Shortfall = MoneyRead['upcoming']['shortfalls'][number];
