import type { EntityManager } from '@mikro-orm/postgresql';
import { readByKeys } from '@payroll/store';
import { keyOf, type Fetch } from '@payroll/subgraph';
import type { Payment } from '../domain/payment.js';
import { PAYMENT_COLUMNS, toPayment, type PaymentRow } from '../store/to-payment.js';

export function paymentsById(em: EntityManager): Fetch<Payment> {
  return async (keys) => {
    const rows = await readByKeys<PaymentRow>(em, 'payment', PAYMENT_COLUMNS, keys);
    return new Map(rows.map((row) => [keyOf(row), toPayment(row)]));
  };
}
