export interface BackOff {
  readonly firstMs: number;
  readonly maxMs: number;
  /** A process that ran as long as this has recovered: the next restart is a first one again. */
  readonly resetAfterMs: number;
}

export const defaultBackOff: BackOff = { firstMs: 250, maxMs: 10_000, resetAfterMs: 30_000 };

/** @param failures how many times in a row it died before its time, this death included */
export function delayBeforeRestart({ firstMs, maxMs }: BackOff, failures: number): number {
  return Math.min(firstMs * 2 ** Math.min(failures - 1, 30), maxMs);
}

/** @returns the count of deaths in a row after one more */
export function countFailure({ resetAfterMs }: BackOff, failures: number, ranMs: number): number {
  return ranMs >= resetAfterMs ? 1 : failures + 1;
}
