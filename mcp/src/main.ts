import { runMain, serveUntilStopped } from '@payroll/runtime';
import { readConfig } from './config.js';
import { startMcp } from './app.js';

await runMain('mcp', process, {
  serve: {
    help: 'serves /mcp until it is stopped',
    run: async (env) => {
      const config = readConfig(env);
      await serveUntilStopped('mcp', config, (drain) => startMcp(config, drain));
    },
  },
});
