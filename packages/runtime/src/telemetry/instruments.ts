/** Values of a metric's labels. Closed words only: an id or a text from outside would make a series for each of them. */
type Labels<Label extends string> = Readonly<Record<Label, string>>;

/** Does nothing until it is connected: where nobody scrapes, counting costs a look at an empty field. */
abstract class Instrument<Label extends string, Sink> {
  /** What takes the values once somebody scrapes; the shape is prom-client's. */
  protected sink: Sink | undefined;

  constructor(
    readonly name: string,
    readonly help: string,
    readonly labels: readonly Label[] = [],
  ) {}

  get isConnected(): boolean {
    return this.sink !== undefined;
  }

  /** What is returned ends the connection. */
  connect(sink: Sink): Disposable {
    this.sink = sink;
    return { [Symbol.dispose]: () => void (this.sink = undefined) };
  }
}

/** What only grows. */
export class Counter<Label extends string = never> extends Instrument<
  Label,
  { inc(labels: Labels<string>, by: number): void }
> {
  readonly kind = 'counter';

  add(labels: Labels<Label>, by = 1): void {
    this.sink?.inc(labels, by);
  }
}

/** From a read out of memory to a deadline; few, because each is a series for every combination of labels. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** How long something takes, in seconds. */
export class Duration<Label extends string = never> extends Instrument<
  Label,
  { observe(labels: Labels<string>, value: number): void }
> {
  readonly kind = 'histogram';

  constructor(
    name: string,
    help: string,
    labels: readonly Label[],
    readonly buckets: readonly number[] = REQUEST_SECONDS,
  ) {
    super(name, help, labels);
  }

  /** Since a moment of `performance.now()`. */
  since(startedAt: number, labels: Labels<Label>): void {
    this.seconds((performance.now() - startedAt) / 1000, labels);
  }

  seconds(value: number, labels: Labels<Label>): void {
    this.sink?.observe(labels, value);
  }
}

/** What goes up and down: set as it changes, or at each scrape by a reading (see `onScrape`). */
export class Gauge<Label extends string = never> extends Instrument<
  Label,
  { set(labels: Labels<string>, value: number): void; clear(): void }
> {
  readonly kind = 'gauge';

  set(labels: Labels<Label>, value: number): void {
    this.sink?.set(labels, value);
  }

  /** Forgets all values: what cannot be read is absent, rather than as it was. */
  clear(): void {
    this.sink?.clear();
  }
}
