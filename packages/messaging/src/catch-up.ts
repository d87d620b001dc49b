/** Where a consumer stands: the part of NATS's `ConsumerInfo` that matters here. */
interface Position {
  /** What waits to be delivered for the first time. */
  num_pending: number;
  delivered: { stream_seq: number };
  /** All up to here is confirmed. */
  ack_floor: { stream_seq: number };
}

/**
 * Latches once all that waited in the stream at start is applied or buried, here or, for what another process of the
 * service took, handed out. It works by stream sequences, which have no gaps above the first one delivered.
 */
export class CatchUp {
  readonly done: Promise<void>;
  private latch!: () => void;
  private latched = false;
  private startedAt: number | undefined;
  private target: number | undefined;
  private readonly unfinished = new Set<number>();

  constructor() {
    this.done = new Promise((resolve) => {
      this.latch = resolve;
    });
  }

  get isDone(): boolean {
    return this.latched;
  }

  /** The stream is absent or empty: there is nothing to catch up with. */
  nothingToDo(): void {
    this.latched = true;
    this.unfinished.clear();
    this.latch();
  }

  /** A new look at a stream, which may be another one than before. */
  begin(info: Position): void {
    if (this.latched) return;
    this.unfinished.clear();
    this.target = undefined;
    this.startedAt = info.delivered.stream_seq;
    if (info.num_pending === 0) this.nothingToDo();
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
    // Not before the first delivery: what is older than the stream keeps may be missing between here and there.
    if (delivered > this.startedAt || info.num_pending === 0) this.target ??= delivered + info.num_pending;
    const { target } = this;
    if (target === undefined || delivered < target) return;
    const openHere = [...this.unfinished].some((sequence) => sequence <= target);
    if (!openHere || info.ack_floor.stream_seq >= target) this.nothingToDo();
  }
}
