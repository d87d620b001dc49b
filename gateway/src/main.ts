import { createAdmissionClient } from '@payroll/admission';
import { connectNats } from '@payroll/bus';
import { createLog, runMain, untilStopped } from '@payroll/process';
import { createApp } from './app.js';
import { readConfig } from './config.js';
import { Gateway } from './gateway.js';
import { supergraph } from './supergraph.js';

await runMain('gateway', process, {
  serve: {
    help: 'serves the internal GraphQL endpoint until it is stopped',
    run: async (env) => {
      const config = readConfig(env);
      const log = createLog('gateway', config.logLevel);
      await using gateway = await Gateway.create({ supergraph: supergraph(), subgraphs: config.subgraphs });
      await using bus = connectNats({ url: config.natsUrl, name: 'gateway', log });
      await using app = await createApp({ gateway, admission: createAdmissionClient(bus), log });
      await app.listen({ host: config.listenHost, port: config.listenPort });
      await untilStopped();
    },
  },
});
