import { graphql, type ResultOf } from '../../operations.js';

const MONEY = '{ amount currency }';

export const readMoney = graphql(`
  query money {
    balances { available ${MONEY} pending ${MONEY} asOf owedToWorkers ${MONEY} owedByWorkers ${MONEY} }
    upcoming {
      weeks { week amount ${MONEY} payments }
      shortfalls { day missing ${MONEY} missingInAll ${MONEY} }
    }
    fundingReference
    failed: payments(status: failed, limit: 100) { nodes { failureReason } }
  }`);

export type MoneyRead = ResultOf<typeof readMoney>;
export type Week = MoneyRead['upcoming']['weeks'][number];
export type Shortfall = MoneyRead['upcoming']['shortfalls'][number];
