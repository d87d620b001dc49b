import { newId } from '@payroll/kernel';
import { createLog } from '@payroll/process';
import { hashPassword } from '../src/accounts/password-hash.js';
import { Sessions } from '../src/accounts/sessions.js';
import { AccountTable } from '../src/store/account-tables.js';
import { createWeb } from '../src/web/create-web.js';
import type { WebSettings } from '../src/web/web.js';
import { pages } from '../src/web/pages/pages.js';
import { Browser } from './browser.js';
import { Workspaces } from './support.js';

export const PASSWORD = 'plum gravel teapot nine';

/** The pages, served over HTTP on a port of their own, with the database behind them. */
export class Site implements AsyncDisposable {
  private constructor(
    readonly workspaces: Workspaces,
    readonly origin: string,
    private readonly stack: AsyncDisposableStack,
  ) {}

  static async open(database: string, change: Partial<WebSettings> = {}): Promise<Site> {
    await using opening = new AsyncDisposableStack();
    const workspaces = opening.use(await Workspaces.open(database));
    const settings: WebSettings = {
      ...{ listenHost: '127.0.0.1', listenPort: 0, origin: '', restUrl: 'https://api.example/v1', mcpUrl: null },
      trustedProxies: ['127.0.0.1'],
    };
    const { em, commands } = workspaces;
    const log = createLog('workspaces', 'fatal');
    const app = await createWeb({ settings, em, commands, log, sessions: new Sessions(em) }, { pages, endpoints: [] });
    opening.adopt(app, (open) => open.close());
    const origin = await app.listen({ host: '127.0.0.1', port: 0 });
    Object.assign(settings, { origin }, change);
    return new Site(workspaces, origin, opening.move());
  }

  /** A browser at an address of its own, unless it is told one. */
  browser(address = `192.0.2.${Math.ceil(Math.random() * 250)}`): Browser {
    return new Browser(this.origin, { 'x-forwarded-for': address });
  }

  async account(email = `${newId()}@example.com`): Promise<{ id: string; email: string }> {
    const { em } = this.workspaces;
    const [{ now }] = await em.execute<[{ now: string }]>('select now()::text as now');
    const id = newId();
    const row = { id, email, name: 'Ada Admin', passwordHash: await hashPassword(PASSWORD) };
    await em.fork().insert(AccountTable, { ...row, createdAt: now, updatedAt: now });
    return { id, email };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stack.disposeAsync();
  }
}
