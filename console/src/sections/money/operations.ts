import { Operation } from '../../operations.js';
import type { Money } from '../../words.js';

export interface Week {
  week: string | null;
  amount: Money;
  payments: number;
}

export interface Shortfall {
  day: string;
  missing: Money;
  missingInAll: Money;
}

export interface MoneyRead {
  balances: { available: Money[]; pending: Money[]; asOf: string; owedToWorkers: Money[]; owedByWorkers: Money[] };
  upcoming: { weeks: Week[]; shortfalls: Shortfall[] };
  fundingReference: string;
  failed: { nodes: { failureReason: string | null }[] };
}

export const readMoney = new Operation<MoneyRead, Record<string, never>>(`
  query money {
    balances { available { amount currency } pending { amount currency } asOf
      owedToWorkers { amount currency } owedByWorkers { amount currency } }
    upcoming {
      weeks { week amount { amount currency } payments }
      shortfalls { day missing { amount currency } missingInAll { amount currency } }
    }
    fundingReference
    failed: payments(status: failed, limit: 100) { nodes { failureReason } }
  }`);
