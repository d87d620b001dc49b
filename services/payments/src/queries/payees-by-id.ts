import type { EntityManager } from '@mikro-orm/postgresql';
import { readByKeys } from '@payroll/store';
import { keyOf, type Fetch } from '@payroll/subgraph';
import type { Payee } from '../domain/payee.js';
import { PAYEE_COLUMNS, toPayee, type PayeeRow } from '../store/to-payee.js';

export function payeesById(em: EntityManager): Fetch<Payee> {
  return async (keys) => {
    const rows = await readByKeys<PayeeRow>(em, 'payee', PAYEE_COLUMNS, keys);
    return new Map(rows.map((row) => [keyOf(row), toPayee(row)]));
  };
}
