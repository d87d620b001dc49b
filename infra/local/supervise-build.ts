import { join } from 'node:path';
import { hostEnvironment } from './processes.js';
import { type Supervised, type SupervisorContext, supervise } from './supervisor.js';

/** The compiler in its watch mode; what it says of mistakes is in its log. */
export function superviseBuild(root: string, dir: string, context: SupervisorContext): Supervised {
  return supervise(
    {
      name: 'build',
      command: process.execPath,
      args: [
        join(root, 'node_modules/@typescript/native/bin/tsc'),
        ...['-b', '--watch', '--preserveWatchOutput', 'infra/check/tsconfig.build.json'],
      ],
      env: hostEnvironment(),
      cwd: root,
      logFile: join(dir, 'logs', 'build.log'),
      isReady: () => Promise.resolve(true),
    },
    context,
  );
}
