import { runMain } from '@payroll/runtime';
import { serve, serviceCommands } from '@payroll/service';
import { readConfig } from './config.js';
import { HttpProvider, sandboxControl } from './payouts/http-provider.js';
import { paymentsService } from './service.js';

/** For commands that do not call the provider. */
const withoutProvider = paymentsService({
  deployment: 'test',
  provider: {} as never,
  callbacks: {} as never,
  control: {} as never,
  payeeHoldHours: 0,
});

await runMain('payments', process, {
  ...serviceCommands(withoutProvider),
  serve: {
    help: 'answers its subgraph, consumes events and pays out until it is stopped',
    run: async (env) => {
      const { provider, callbacks, payeeHoldHours, ...config } = readConfig(env);
      await using http = new HttpProvider(provider.url, provider.key);
      const { deployment } = config;
      const control = sandboxControl(provider);
      await serve(paymentsService({ deployment, provider: http, callbacks, control, payeeHoldHours }), config);
    },
  },
});
