import { DomainError, unavailable } from '@payroll/kernel';

/**
 * SQLSTATEs that say "not now": connections and log-ins (08, 28, 57P), resources (53), standby (55, 25006), disk (58),
 * replaced database (3D000), time-outs (57014, 25P0x), deadlock and serialization (40).
 */
const TRANSIENT_SQLSTATE = /^(08...|28...|3D000|40...|53...|55...|57...|58...|25006|25P0[34])$/;
const NETWORK = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
/** Classes that speak of the values themselves: data exceptions and violated constraints. */
const DATA = /^2[23]...$/;

/** A text or JSON has U+0000. Inputs are checked where they name the field; this covers ids and filters. */
const UNSTORABLE_TEXT = /^(22021|22P05)$/;

/**
 * Turns temporary database errors into `SERVICE_UNAVAILABLE`, and texts that Postgres cannot hold into
 * `INVALID_REQUEST`; returns any other error unchanged.
 */
export function mapDatabaseError(error: unknown): unknown {
  if (isTransient(error)) return unavailable('The database', error);
  if (!hasCode(error, UNSTORABLE_TEXT)) return error;
  return new DomainError('INVALID_REQUEST', 'A text contains the character U+0000, which cannot be stored.', {
    cause: error,
  });
}

/** Postgres refuses the values: a retry or a repaired server would not help. */
export function isDataError(error: unknown): boolean {
  return hasCode(error, DATA);
}

/** Whether the error, or what it follows from, has such a SQLSTATE. */
export function hasCode(error: unknown, code: RegExp): boolean {
  return causes(error).some((each) => code.test(codeOf(each)));
}

function isTransient(error: unknown): boolean {
  return causes(error).some(
    (each) =>
      TRANSIENT_SQLSTATE.test(codeOf(each)) ||
      NETWORK.test(codeOf(each)) ||
      // pg says these without a code.
      /Connection terminated|timeout exceeded when trying to connect|is not queryable/.test(each.message),
  );
}

function causes(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : [];
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
