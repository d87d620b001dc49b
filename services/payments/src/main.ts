import type { EntityManager } from '@mikro-orm/postgresql';
import { runMain } from '@payroll/process';
import { serve, serviceCommands } from '@payroll/service';
import { openDatabase } from '@payroll/store';
import { readConfig } from './config.js';
import { withEarlierOrders } from './payouts/earlier-orders.js';
import { HttpProvider } from './payouts/http-provider.js';
import { sandboxControl } from './payouts/sandbox-control.js';
import { paymentsService } from './service.js';
import { paymentsSchema } from './store/schema.js';

/** For commands that ask no provider. */
const withoutProvider = paymentsService({ provider: {} as never, callbacks: {} as never, control: {} as never });

await runMain('payments', process, {
  ...serviceCommands(withoutProvider),
  serve: {
    help: 'answers its subgraph, consumes events and pays out until it is stopped',
    run: async (env) => {
      const { provider, callbacks, earlierOrdersUrl, ...config } = readConfig(env);
      await using stack = new AsyncDisposableStack();
      const http = stack.use(new HttpProvider(provider.url, provider.key));
      const earlier =
        earlierOrdersUrl === ''
          ? null
          : stack.adopt(await openDatabase(paymentsSchema, earlierOrdersUrl), (orm) => orm.close()).em.fork();
      const asked = (em: EntityManager) => withEarlierOrders(http, earlier ?? em);
      await serve(paymentsService({ provider: asked, callbacks, control: sandboxControl(provider) }), config);
    },
  },
});
