import { runMain, untilStopped } from '@payroll/process';
import { readConfig } from './config.js';
import { startMcp } from './serve.js';

await runMain('mcp', process, {
  serve: {
    help: 'serves /mcp until it is stopped',
    run: async (env) => {
      await using _running = await startMcp(readConfig(env));
      await untilStopped();
    },
  },
});
