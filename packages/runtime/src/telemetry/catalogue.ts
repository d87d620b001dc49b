/** Values of a metric's labels. Closed words only: an id or a text from outside would make a series for each of them. */
type Labels<Label extends string> = Readonly<Record<Label, string>>;

/** Does nothing until it is connected: where nobody scrapes, counting costs a look at an empty field. */
abstract class Instrument<Label extends string, Sink> {
  /** Receives the values; unset until metrics are served. Has the methods of prom-client. */
  protected sink: Sink | undefined;

  constructor(
    readonly name: string,
    readonly help: string,
    readonly labels: readonly Label[] = [],
  ) {}

  get isConnected(): boolean {
    return this.sink !== undefined;
  }

  /** Sends values to the sink until the result is disposed of. */
  connect(sink: Sink): Disposable {
    this.sink = sink;
    return { [Symbol.dispose]: () => void (this.sink = undefined) };
  }
}

/** A count that never decreases. */
class Counter<Label extends string = never> extends Instrument<
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
class Histogram<Label extends string = never> extends Instrument<
  Label,
  { observe(labels: Labels<string>, value: number): void; zero(labels: Labels<string>): void }
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

  /** Counts from 0: an alert cannot compare a series that only appears with its first value. */
  begin(labels: Labels<Label>): void {
    this.sink?.zero(labels);
  }

  /** Since a moment of `performance.now()`. */
  since(startedAt: number, labels: Labels<Label>): void {
    this.seconds((performance.now() - startedAt) / 1000, labels);
  }

  seconds(value: number, labels: Labels<Label>): void {
    this.sink?.observe(labels, value);
  }
}

/** A value that goes up and down, set when it changes or read at each scrape (see `onScrape`). */
class Gauge<Label extends string = never> extends Instrument<
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

/** From at once to a dead consumer. */
const DELAY_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 300];

/**
 * Every metric there is; dashboards and alerts may name nothing else (`infra/monitoring`). The process is not a label:
 * Prometheus knows whom it asked. In a cell each series has the label `cell` as well.
 */
export const metrics = {
  build: new Gauge('payroll_build_info', 'Always 1; the label says which version this process is.', ['version']),
  requests: new Histogram(
    'payroll_request_duration_seconds',
    'Requests from outside, from their first byte to the last of the answer. outcome: ok, refused (4xx), failed (5xx), abandoned.',
    ['operation', 'outcome'],
  ),
  requestsInFlight: new Gauge('payroll_requests_in_flight', 'Requests from outside that are being answered right now.'),
  errors: new Counter('payroll_errors_total', 'Errors that /v1 answered, by the code that callers read.', ['code']),
  contractViolations: new Counter(
    'payroll_contract_violations_total',
    'Answers of /v1 refused because they do not fit the public contract, of those that were compared with it (RESPONSE_CHECK_RATIO).',
    ['operation'],
  ),
  toolCalls: new Histogram(
    'payroll_tool_call_duration_seconds',
    'Calls of tools by assistants. outcome: ok, input_required, refused, failed (on our side), abandoned by the host.',
    ['tool', 'outcome'],
  ),
  idempotentWrites: new Counter(
    'payroll_idempotent_writes_total',
    'Writes by what their Idempotency-Key was found to be: new, known (this request has used it before), reused (another one has).',
    ['found'],
  ),

  admissionAnswers: new Counter(
    'payroll_admission_answers_total',
    'Who was let in and who was not: admitted, or the code of the refusal, such as RATE_LIMITED.',
    ['via', 'outcome'],
  ),
  subgraphCalls: new Histogram(
    'payroll_subgraph_call_duration_seconds',
    'Operations that an edge asked of a service, with the wait for their message. outcome: ok, errors (some of them), unavailable, abandoned.',
    ['subgraph', 'outcome'],
  ),
  subgraphOperations: new Histogram(
    'payroll_subgraph_operation_duration_seconds',
    'Operations as the service answered them, by their first field of the graph. outcome: ok, refused, failed.',
    ['operation', 'outcome'],
  ),

  commands: new Histogram(
    'payroll_command_duration_seconds',
    'Use cases that write, one transaction each. outcome: applied, replayed, refused, failed.',
    ['command', 'outcome'],
  ),
  databaseConnections: new Gauge('payroll_database_connections', 'Connections to Postgres: busy, idle.', ['state']),
  databaseWaiting: new Gauge('payroll_database_waiting', 'Statements that wait for a connection to Postgres.'),
  busConnected: new Gauge('payroll_nats_connected', 'Whether NATS can be reached: 1 or 0.'),

  eventsCommitted: new Counter('payroll_events_committed_total', 'Events that joined a committed change.', ['type']),
  deliveries: new Counter(
    'payroll_event_deliveries_total',
    'Requests to consumers to apply an event, repetitions included. reply: applied, dead_lettered, held (their version cannot apply it), postponed (not now), or why there is none: timeout, no_responders (the consumer is away), disconnected, failed.',
    ['consumer', 'reply'],
  ),
  eventsReceived: new Counter(
    'payroll_events_received_total',
    'Events of other services by the reply of this one: applied (now or before), dead_lettered, held (this version cannot apply it), postponed (an outage, or the event is from before a restore).',
    ['type', 'reply'],
  ),
  eventDelay: new Histogram(
    'payroll_event_delay_seconds',
    'From the change that an event tells of to its being applied by this service.',
    ['type'],
    DELAY_SECONDS,
  ),
  deliveryWaits: new Histogram(
    'payroll_delivery_wait_seconds',
    'How long answers waited for the consumers of their events. outcome: replied (or known to be away), late.',
    ['outcome'],
  ),
  outboxWaiting: new Gauge(
    'payroll_outbox_waiting_events',
    'Events of this service that a consumer has not confirmed; every process of it tells the same.',
    ['consumer'],
  ),
  outboxOldest: new Gauge(
    'payroll_outbox_oldest_seconds',
    'Age of the oldest event that a consumer has not confirmed, 0 without one; every process of the service tells the same.',
    ['consumer'],
  ),
  deadLetters: new Gauge(
    'payroll_dead_letters',
    'Events that this service could not apply and keeps for a person; every process of it tells the same.',
  ),

  runnerRounds: new Histogram(
    'payroll_runner_round_duration_seconds',
    'Rounds of what runs by itself. outcome: ok, failed.',
    ['runner', 'outcome'],
  ),
  deferredWork: new Gauge(
    'payroll_deferred_work',
    'Work that a runner cannot do and tries again later and later; every process of the service tells the same.',
    ['runner'],
  ),
  unsentMails: new Gauge(
    'payroll_unsent_mails',
    'Mails that the mail server does not accept. state: late (for more than an hour), given_up (for a day; counted for two more). Every process of workspaces tells the same.',
    ['state'],
  ),
  approvalsWithoutPayment: new Gauge(
    'payroll_approvals_without_payment',
    'Work approved more than five minutes ago that payments has no payment for; every process of review tells the same.',
  ),
  unsettledPayments: new Gauge(
    'payroll_unsettled_payments',
    'Payments that are pending, processing or failed; every process of payments tells the same.',
    ['status'],
  ),
  payoutAlarms: new Gauge(
    'payroll_payout_alarms',
    'Payouts that wait for a person. alarm: not_found, differs, unclaimed_order (whose worker is not paid); every process of payments tells the same.',
    ['alarm'],
  ),
  payoutCalls: new Histogram(
    'payroll_payout_provider_duration_seconds',
    'Calls of the payout provider. outcome: the status it answered, listed (its orders), or error.',
    ['outcome'],
  ),
  readingFailures: new Counter(
    'payroll_scrape_failures_total',
    'Readings of a scrape that did not come in time; their metrics are absent meanwhile.',
    ['reading'],
  ),
} as const;
