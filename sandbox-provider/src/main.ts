import { createLog, openServer, runMain, serveUntilStopped, createReadinessCheck, type Drain } from '@payroll/runtime';
import { createProvider } from './app.js';
import { startCallingBack } from './call-back.js';
import { readConfig, type SandboxConfig } from './config.js';
import { NO_FAULTS } from './faults.js';
import { Orders } from './orders.js';

await runMain('sandbox-provider', process, {
  serve: {
    help: 'takes payout orders and moves no money, until it is stopped',
    run: async (env) => {
      const config = readConfig(env);
      await serveUntilStopped('sandbox-provider', config, (drain) => start(config, drain));
    },
  },
});

async function start(config: SandboxConfig, drain: Drain): Promise<AsyncDisposable> {
  await using starting = new AsyncDisposableStack();
  const orders = starting.use(new Orders(config.ordersFile));
  const parts = { orders, faults: { ...NO_FAULTS }, log: createLog('sandbox-provider', config.logLevel) };
  const app = createProvider({ ...config, ...parts, waitingFor: createReadinessCheck(drain, {}) });
  starting.use(await openServer(app, drain, config));
  starting.use(startCallingBack({ ...parts, callback: config.callback }));
  return starting.move();
}
