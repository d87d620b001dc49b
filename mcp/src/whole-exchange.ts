import type { Dispatcher } from 'undici';

export interface HttpAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

/**
 * A request whose answer is read as a whole: without the stream that undici's `request` makes of each.
 * @throws Error when the connection is lost, the time is over or the signal is aborted.
 */
export async function exchangeWhole(
  pool: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { withinMs, signal }: { withinMs: number; signal: AbortSignal },
): Promise<HttpAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  const collector = new Collector(resolve, reject);
  const giveUp = (): void => collector.giveUp();
  const timer = setTimeout(giveUp, withinMs);
  signal.addEventListener('abort', giveUp);
  try {
    if (signal.aborted) giveUp();
    else pool.dispatch(request, collector);
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}

class Collector implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | undefined;
  private isOver = false;
  private status = 0;
  private headers: HttpAnswer['headers'] = {};
  private readonly chunks: Buffer[] = [];

  constructor(
    private readonly resolve: (answer: HttpAnswer) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  giveUp(): void {
    const reason = new Error('Nobody waits for the answer any more.');
    this.isOver = true;
    this.reject(reason);
    this.controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // It waited for a connection until then.
    if (this.isOver) this.giveUp();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: HttpAnswer['headers']): void {
    this.status = status;
    this.headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    const { status, headers, chunks } = this;
    this.resolve({ status, headers, text: Buffer.concat(chunks).toString() });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.reject(error);
  }
}
