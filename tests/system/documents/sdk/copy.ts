import { followChanges, type Batch, type Payroll } from '../../../../packages/sdk/src/index.js';
import type { Row } from '../../poller.js';

/** An integrator's copy by `followChanges`: rows and state, changed together. */
export class Copy {
  private state: string | null = null;
  private readonly rows = new Map<string, { kind: string; row: Row; epoch: string }>();

  constructor(private readonly payroll: Payroll) {}

  /** Runs until no change is left, or until it is killed after this many milliseconds, wherever it is. */
  async round(killAfterMs?: number): Promise<void> {
    const killed = killAfterMs === undefined ? new AbortController().signal : AbortSignal.timeout(killAfterMs);
    try {
      const options = { state: this.state, signal: killed, hasMilestones: () => false };
      for await (const batch of followChanges(this.payroll, options)) {
        if (killed.aborted) return;
        this.keep(batch);
      }
    } catch (error) {
      if (!killed.aborted) throw error;
    }
  }

  /** Kept rows that differ from a full listing, and listed rows that are not kept. */
  missed(kind: string, listed: readonly Row[]): unknown[] {
    const kept = [...this.rows.values()].filter((one) => one.kind === kind).map(({ row }) => JSON.stringify(row));
    const wanted = new Set(listed.map((row) => JSON.stringify(row)));
    const isKept = new Set(kept);
    return [...kept.filter((row) => !wanted.has(row)), ...[...wanted].filter((row) => !isKept.has(row))];
  }

  private keep(batch: Batch): void {
    if (batch.kind === 'restarted') throw new Error('Nothing was restored');
    if ('items' in batch) {
      const { kind, epoch } = batch;
      for (const row of batch.items) this.rows.set(row.id, { kind, row: { ...row }, epoch });
    }
    this.state = batch.state;
  }
}
