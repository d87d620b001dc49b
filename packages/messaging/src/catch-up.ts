/** A consumer's position: the part of NATS' `ConsumerInfo` that matters here. */
interface Position {
  /** Events that were never delivered yet. */
  num_pending: number;
  delivered: { stream_seq: number };
  /** Everything up to here is acknowledged. */
  ack_floor: { stream_seq: number };
}

/** Latches when all that waited at start is applied or buried here, or delivered to another process of the service. */
export class CatchUp {
  private readonly latch = Promise.withResolvers<void>();
  readonly done = this.latch.promise;
  private latched = false;
  private startedAt: number | undefined;
  private target: number | undefined;
  private readonly unfinished = new Set<number>();

  get isDone(): boolean {
    return this.latched;
  }

  /** Also when the stream is absent or empty. */
  finish(): void {
    this.latched = true;
    this.unfinished.clear();
    this.latch.resolve();
  }

  /** Starts over, with a stream that may be a new one. */
  begin(info: Position): void {
    if (this.latched) return;
    this.unfinished.clear();
    this.target = undefined;
    this.startedAt = info.delivered.stream_seq;
    if (info.num_pending === 0) this.finish();
  }

  took(sequence: number): void {
    if (!this.latched) this.unfinished.add(sequence);
  }

  finished(sequence: number): void {
    this.unfinished.delete(sequence);
  }

  observe(info: Position): void {
    if (this.latched || this.startedAt === undefined) return;
    const delivered = info.delivered.stream_seq;
    // Only after the first delivery: sequences older than what the stream keeps may be missing up to there.
    if (delivered > this.startedAt || info.num_pending === 0) this.target ??= delivered + info.num_pending;
    const { target } = this;
    if (target === undefined || delivered < target) return;
    const openHere = [...this.unfinished].some((sequence) => sequence <= target);
    if (!openHere || info.ack_floor.stream_seq >= target) this.finish();
  }
}
