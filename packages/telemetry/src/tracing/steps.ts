/** What may be said of a step: ids of ours and closed words. Never a body, a credential, a name or a statement's values. */
export interface StepDetails {
  kind?: 'server' | 'client' | 'producer' | 'consumer';
  requestId?: string | undefined;
  workspaceId?: string | undefined;
  /** What it is about, such as the payment. */
  aboutId?: string | undefined;
}

/** Where a trace begins. */
export interface Beginning extends StepDetails {
  /** The `traceparent` of a caller whom we trust: then it is a further step of that trace. */
  continues?: string | undefined;
  /** The `traceparent` of whatever led here: it is pointed at, and nothing else. */
  follows?: string | undefined;
}

/** A step that is open for as long as a request. */
export interface OpenStep {
  /** Runs something as a part of it. */
  run<T>(work: () => T): T;
  /** `isFailure`: on our side. */
  end(outcome: { status: number; isFailure: boolean; workspaceId?: string | undefined }): void;
}

/** What makes traces of steps: OpenTelemetry, where somebody collects them. */
export interface Tracing {
  begin(name: string, beginning: Beginning): OpenStep;
  start<T>(name: string, beginning: Beginning, work: () => Promise<T>): Promise<T>;
  step<T>(name: string, details: StepDetails, work: () => Promise<T>): Promise<T>;
  stepOf<T>(traceparent: string, name: string, details: StepDetails, work: () => Promise<T>): Promise<T>;
  traceparent(): string | undefined;
}

let tracing: Tracing | undefined;

/** Undefined: nobody collects, and every step is just its work. */
export function useTracing(use: Tracing | undefined): void {
  tracing = use;
}

export function isTracing(): boolean {
  return tracing !== undefined;
}

/** Begins what is open until it is ended, at an edge; null where nobody collects. */
export function beginTrace(name: string, beginning: Beginning): OpenStep | null {
  return tracing?.begin(name, beginning) ?? null;
}

/** Runs what begins by itself, such as a runner's work on one thing. */
export function startTrace<T>(name: string, beginning: Beginning, work: () => Promise<T>): Promise<T> {
  return tracing ? tracing.start(name, beginning, work) : work();
}

/** Runs a step of the trace under way. Without one it is just its work: parts of traces that nobody began help nobody. */
export function step<T>(name: string, details: StepDetails, work: () => Promise<T>): Promise<T> {
  return tracing ? tracing.step(name, details, work) : work();
}

/** Runs a step of a trace that came from another process, with the question, the event or the row that brings it here. */
export function stepOf<T>(
  traceparent: string | null | undefined,
  name: string,
  details: StepDetails,
  work: () => Promise<T>,
): Promise<T> {
  return tracing && traceparent ? tracing.stepOf(traceparent, name, details, work) : work();
}

/** Runs what is done for several at once, as a step of the trace of each. */
export function asStepsOf<T>(
  askers: readonly ({ traceparent?: string | undefined } | null)[],
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  if (!tracing) return work();
  const nested = askers.reduce<() => Promise<T>>(
    (inner, asker) => () => stepOf(asker?.traceparent, name, { kind: 'server' }, inner),
    work,
  );
  return nested();
}

/** The step under way as it travels (W3C Trace Context); undefined where there is none, or nobody keeps it. */
export function currentTraceparent(): string | undefined {
  return tracing?.traceparent();
}
