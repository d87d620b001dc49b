/** Values of a metric's labels. Closed words only: an id or a text from outside would make a series for each of them. */
export type Labels<Label extends string> = Readonly<Record<Label, string>>;

/** What takes the values once somebody scrapes; the shape is prom-client's. */
interface CounterSink {
  inc(labels: Labels<string>, by: number): void;
}
interface HistogramSink {
  observe(labels: Labels<string>, value: number): void;
}
interface GaugeSink {
  set(labels: Labels<string>, value: number): void;
  clear(): void;
}

interface Described {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
}

// Each does nothing until it is connected: where nobody scrapes, counting costs a look at an empty field.

/** What only grows. */
export class Counter<Label extends string = never> implements Described {
  readonly kind = 'counter';
  private sink: CounterSink | undefined;

  constructor(
    readonly name: string,
    readonly help: string,
    readonly labels: readonly Label[] = [],
  ) {}

  add(labels: Labels<Label>, by = 1): void {
    this.sink?.inc(labels, by);
  }

  connect(sink: CounterSink): void {
    this.sink = sink;
  }
}

/** How long something takes, in seconds. */
export class Duration<Label extends string = never> implements Described {
  readonly kind = 'histogram';
  private sink: HistogramSink | undefined;

  constructor(
    readonly name: string,
    readonly help: string,
    readonly labels: readonly Label[],
    readonly buckets: readonly number[],
  ) {}

  get isConnected(): boolean {
    return this.sink !== undefined;
  }

  /** Since a moment of `performance.now()`. */
  since(startedAt: number, labels: Labels<Label>): void {
    this.sink?.observe(labels, (performance.now() - startedAt) / 1000);
  }

  seconds(value: number, labels: Labels<Label>): void {
    this.sink?.observe(labels, value);
  }

  connect(sink: HistogramSink): void {
    this.sink = sink;
  }
}

/** What goes up and down: set as it changes, or at each scrape by a reading (see `onScrape`). */
export class Gauge<Label extends string = never> implements Described {
  readonly kind = 'gauge';
  private sink: GaugeSink | undefined;

  constructor(
    readonly name: string,
    readonly help: string,
    readonly labels: readonly Label[] = [],
  ) {}

  set(labels: Labels<Label>, value: number): void {
    this.sink?.set(labels, value);
  }

  /** Forgets all values: what cannot be read is absent, rather than as it was. */
  clear(): void {
    this.sink?.clear();
  }

  connect(sink: GaugeSink): void {
    this.sink = sink;
  }
}
