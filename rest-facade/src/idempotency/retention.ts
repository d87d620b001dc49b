import { errorForLog } from '@payroll/kernel';
import type { Log } from '@payroll/process';
import type { IdempotencyClaims } from './claims.js';

/** Expiry itself needs no timer, the claim's age decides: this only lets go of answers that nobody can ask for. */
const EVERY_MS = 3_600_000;

export class Retention implements Disposable {
  private readonly timer: NodeJS.Timeout;

  constructor(claims: Pick<IdempotencyClaims, 'emptyExpired'>, log: Log) {
    this.timer = setInterval(() => void empty(claims, log), EVERY_MS);
  }

  [Symbol.dispose](): void {
    clearInterval(this.timer);
  }
}

async function empty(claims: Pick<IdempotencyClaims, 'emptyExpired'>, log: Log): Promise<void> {
  try {
    const emptied = await claims.emptyExpired();
    if (emptied > 0) log.info({ emptied }, 'emptied answers past their retention');
  } catch (error) {
    log.warn({ error: errorForLog(error) }, 'could not empty answers past their retention');
  }
}
