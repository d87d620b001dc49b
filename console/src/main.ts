import { runMain, serveUntilStopped } from '@payroll/runtime';
import { readConfig } from './config.js';
import { startConsole } from './app.js';

await runMain('console', process, {
  serve: {
    help: 'serves the application for people until it is stopped',
    run: async (env) => {
      const config = readConfig(env);
      await serveUntilStopped('console', config, (drain) => startConsole(config, drain));
    },
  },
});
