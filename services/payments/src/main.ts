import { readSettings, runMain } from '@payroll/process';
import { serve, serviceCommands, serviceSettings } from '@payroll/service';
import { openDatabase } from '@payroll/store';
import { SandboxProvider } from './payouts/sandbox-provider.js';
import { paymentsService } from './service.js';
import { paymentsSchema } from './store/schema.js';

const commands = serviceCommands(paymentsService({ provider: (em) => new SandboxProvider(em) }));

await runMain('payments', process, {
  ...commands,
  serve: {
    help: commands['serve']!.help,
    run: async (env) => {
      const { outsideUrl, ...config } = readSettings(env, (s) => ({
        ...serviceSettings(s, 'payments'),
        outsideUrl: s.text('SANDBOX_DATABASE_URL', ''),
      }));
      await using stack = new AsyncDisposableStack();
      const outside =
        outsideUrl === ''
          ? null
          : stack.adopt(await openDatabase(paymentsSchema, outsideUrl), (orm) => orm.close()).em.fork();
      await serve(paymentsService({ provider: (em) => new SandboxProvider(outside ?? em) }), config);
    },
  },
});
