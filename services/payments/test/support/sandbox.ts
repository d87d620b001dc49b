import { createLog } from '@payroll/process';
import { createProvider, NO_FAULTS, Orders, type Faults, type KnownOrder } from '@payroll/sandbox-provider';
import { HttpProvider } from '../../src/payouts/http-provider.js';
import { sandboxControl, type SandboxControl } from '../../src/payouts/sandbox-control.js';
import type { PayoutOrder, PayoutProvider } from '../../src/payouts/provider.js';

const KEY = 'the key of a test';

/** The sandbox provider behind a real port, with books that end with it, asked as payments asks it. */
export class TestSandbox implements PayoutProvider, AsyncDisposable {
  private constructor(
    private readonly stack: AsyncDisposableStack,
    private readonly http: HttpProvider,
    private readonly orders: Orders,
    readonly finish: SandboxControl,
    readonly faults: Faults,
  ) {}

  static async open(): Promise<TestSandbox> {
    await using stack = new AsyncDisposableStack();
    const orders = stack.use(new Orders(':memory:'));
    const faults = { ...NO_FAULTS };
    const log = createLog('sandbox-provider', 'silent');
    const app = createProvider({ orders, faults, key: KEY, log, waitingFor: () => Promise.resolve([]) });
    stack.adopt(app, (open) => open.close());
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const http = stack.use(new HttpProvider(url, KEY));
    return new TestSandbox(stack.move(), http, orders, sandboxControl({ url, key: KEY }), faults);
  }

  submit(order: PayoutOrder, signal = AbortSignal.timeout(10_000)): ReturnType<PayoutProvider['submit']> {
    return this.http.submit(order, signal);
  }

  lookUp(order: PayoutOrder, signal = AbortSignal.timeout(10_000)): ReturnType<PayoutProvider['lookUp']> {
    return this.http.lookUp(order, signal);
  }

  /** What its books say of orders whose key begins so. */
  booksOn(prefix: string): KnownOrder[] {
    return this.orders.every().filter(({ idempotencyKey }) => idempotencyKey.startsWith(prefix));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stack.disposeAsync();
  }
}
