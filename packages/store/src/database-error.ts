import { unavailable } from '@payroll/kernel';

/**
 * SQLSTATEs that say "not now" rather than "wrong": connection trouble and refused log-ins (08, 28, 57P), no room or
 * resources (53), a server or object that is not in the state for it, such as a standby (55, 25006), a failing disk (58), a
 * database that is just being replaced (3D000), time-outs (57014, 25P0x), deadlock and serialization (40).
 */
const PASSING = /^(08...|28...|3D000|40...|53...|55...|57...|58...|25006|25P0[34])$/;
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
/** Classes that speak of the values themselves: data exceptions and violated constraints. */
const DATA = /^2[23]...$/;

/** Turns "the database cannot right now" into `SERVICE_UNAVAILABLE`; anything else comes back as it was. */
export function asDomainError(error: unknown): unknown {
  return isPassing(error) ? unavailable('The database', error) : error;
}

/** Postgres refuses the values, and would again: trying once more, or mending the server, changes nothing. */
export function isDataFault(error: unknown): boolean {
  return causes(error).some((each) => DATA.test(codeOf(each)));
}

function isPassing(error: unknown): boolean {
  return causes(error).some(
    (each) =>
      PASSING.test(codeOf(each)) ||
      NETWORK.has(codeOf(each)) ||
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
