import { createLog } from '@payroll/runtime';
import { createProvider, NO_FAULTS, Orders, type Faults, type KnownOrder } from '@payroll/sandbox-provider';
import { HttpProvider, sandboxControl, type SandboxControl } from '../../src/payouts/http-provider.js';
import type { PayoutOrder, PayoutProvider, ValidOrder } from '../../src/payouts/provider.js';

const KEY = 'the key of a test';

/** The sandbox provider on a real port with in-memory books, called as payments calls it. */
export class TestSandbox implements PayoutProvider, AsyncDisposable {
  private disregarded: ReadonlySet<string> = new Set();

  private constructor(
    private readonly stack: AsyncDisposableStack,
    private readonly http: HttpProvider,
    private readonly orders: Orders,
    readonly finish: SandboxControl,
    readonly faults: Faults,
    private clock: { readonly aheadMs: number } | null = null,
  ) {}

  static async open(): Promise<TestSandbox> {
    await using stack = new AsyncDisposableStack();
    let sandbox: TestSandbox | null = null;
    const aheadMs = (): number => sandbox?.clock?.aheadMs ?? 0;
    const orders = stack.use(new Orders(':memory:', () => new Date(Date.now() + aheadMs())));
    const faults = { ...NO_FAULTS };
    const log = createLog('sandbox-provider', 'silent');
    const app = createProvider({ orders, faults, key: KEY, log, waitingFor: () => Promise.resolve([]) });
    stack.adopt(app, (open) => open.close());
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const http = stack.use(new HttpProvider(url, KEY));
    sandbox = new TestSandbox(stack.move(), http, orders, sandboxControl({ url, key: KEY }), faults);
    return sandbox;
  }

  /** Makes the provider use Postgres' clock. */
  follow(clock: { readonly aheadMs: number }): void {
    this.clock = clock;
  }

  submit(order: ValidOrder, signal = AbortSignal.timeout(10_000)): ReturnType<PayoutProvider['submit']> {
    return this.http.submit(order, signal);
  }

  lookUp(
    order: Pick<PayoutOrder, 'idempotencyKey'>,
    signal = AbortSignal.timeout(10_000),
  ): ReturnType<PayoutProvider['lookUp']> {
    return this.http.lookUp(order, signal);
  }

  cancel(order: PayoutOrder, signal = AbortSignal.timeout(10_000)): ReturnType<PayoutProvider['cancel']> {
    return this.http.cancel(order, signal);
  }

  async ordersSince(since: string, after: string | null): ReturnType<PayoutProvider['ordersSince']> {
    const page = await this.http.ordersSince(since, after, AbortSignal.timeout(10_000));
    return { ...page, orders: page.orders.filter(({ idempotencyKey }) => !this.disregarded.has(idempotencyKey)) };
  }

  /** From now on it does not list its current orders. */
  disregardOrders(): void {
    this.disregarded = new Set(this.booksOn('').map(({ idempotencyKey }) => idempotencyKey));
  }

  /** Drops the orders with these keys. */
  forget(...idempotencyKeys: string[]): void {
    this.orders.forget(idempotencyKeys);
  }

  /** Orders in its books whose key has this prefix. */
  booksOn(prefix: string): KnownOrder[] {
    return this.orders.every().filter(({ idempotencyKey }) => idempotencyKey.startsWith(prefix));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stack.disposeAsync();
  }
}
