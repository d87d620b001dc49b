import { StartError, type Drain } from '@payroll/process';
import type { ServiceParts } from '@payroll/service';
import { Sessions } from '../accounts/sessions.js';
import { createWeb } from './create-web.js';
import type { WebRoutes, WebSettings } from './web.js';

/** The pages, listening until they are disposed of. */
export async function startWeb(
  { em, commands, log }: ServiceParts,
  drain: Drain,
  settings: WebSettings,
  routes: WebRoutes,
): Promise<AsyncDisposable> {
  const app = await createWeb({ settings, em, commands, log, sessions: new Sessions(em) }, routes);
  drain.watch(app.server);
  try {
    await app.listen({ host: settings.listenHost, port: settings.listenPort });
  } catch (error) {
    await app.close();
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE') throw error;
    throw new StartError('AUTH_LISTEN_PORT is taken: another process listens there; choose a free port');
  }
  return { [Symbol.asyncDispose]: () => app.close() };
}
