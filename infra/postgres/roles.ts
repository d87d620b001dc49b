import { SERVICES, type ServiceName } from '@payroll/kernel';

export type ServiceSchema = ServiceName | 'rest_facade';

/** Every schema of the database; each has a login role of the same name that may use this schema and no other. */
export const serviceSchemas: readonly ServiceSchema[] = [...SERVICES, 'rest_facade'];

/** Reads the server's statistics for the exporter of metrics (`pg_monitor`) and none of our tables. */
export const monitorRole = 'payroll_monitor';

/** Owns the database and the schemas and runs the migrations; no process serves requests with it. */
export const ownerRole = 'payroll_owner';

export const databaseName = 'payroll';

export interface DatabasePasswords {
  readonly owner: string;
  readonly monitor: string;
  readonly services: Readonly<Record<ServiceSchema, string>>;
}

/** Above the services' own deadlines (lock 1 s, statement 3 s, transaction 5 s). The owner has none: migrations take longer. */
export const serviceRoleSettings: Readonly<Record<string, string>> = {
  lock_timeout: '1s',
  statement_timeout: '3s',
  transaction_timeout: '5s',
  idle_in_transaction_session_timeout: '5s',
  timezone: 'UTC',
};
