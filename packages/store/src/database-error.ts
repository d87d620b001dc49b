import { unavailable } from '@payroll/kernel';

/**
 * SQLSTATEs that say "not now" rather than "wrong": connection trouble (08, 57P), too many connections (53), lock,
 * statement and transaction time-outs (55P03, 57014, 25P04), deadlock and serialization (40).
 */
const PASSING = /^(08...|53...|57P0.|57014|55P03|25P0[34]|40...)$/;
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH']);

/** Turns "the database cannot right now" into `SERVICE_UNAVAILABLE`; anything else comes back as it was. */
export function asDomainError(error: unknown): unknown {
  return isPassing(error) ? unavailable('The database', error) : error;
}

function isPassing(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const code = 'code' in at && typeof at.code === 'string' ? at.code : '';
    if (PASSING.test(code) || NETWORK.has(code)) return true;
    // pg says these without a code.
    if (/Connection terminated|timeout exceeded when trying to connect/.test(at.message)) return true;
  }
  return false;
}
