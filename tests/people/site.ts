import { Gateway, supergraph } from '@payroll/gateway';
import { CONSOLE_PATHS } from '@payroll/infra/balancer/console-paths';
import { recordOf, SERVICES } from '@payroll/kernel';
import { createLog } from '@payroll/runtime';
import { createApp } from '../../console/src/app.js';
import { pagesOf, sections } from '../../console/src/sections.js';
import { answerPerson } from '../../services/workspaces/src/admission/serve-admission.js';
import type { MailSettings } from '../../services/workspaces/src/mail/mailer.js';
import type { OauthSettings } from '../../services/workspaces/src/oauth/settings.js';
import type { WebDependencies, WebSettings } from '../../services/workspaces/src/web/account-context.js';
import { Site, type Route } from '../../services/workspaces/test/pages/site.js';
import type { Workspaces } from '../../services/workspaces/test/support.js';

export { PASSWORD, type Person, type Route, type Site } from '../../services/workspaces/test/pages/site.js';

/** The people's origin of a workspace without contracts: workspaces and the console, with a real database. */
export async function openSite(
  database: string,
  change: Partial<WebSettings> = {},
  mail: MailSettings | 'caught' | null = null,
): Promise<Site> {
  const site = await Site.open(database, change, mail);
  site.join(await startConsole(site.workspaces, site.web));
  const routes = Object.keys(pagesOf(sections)).map((route) => route.split(' ') as [Route['method'], string]);
  site.routes.push(...routes.map(([method, url]) => ({ method, url })));
  return site;
}

/** The console in front of pages that already run. Of the services only workspaces is available. */
export async function startConsole(
  workspaces: Workspaces,
  { settings, mailer }: Pick<WebDependencies, 'settings' | 'mailer'>,
  oauth: OauthSettings | null = null,
) {
  await using starting = new AsyncDisposableStack();
  const url = await workspaces.listen({ web: settings, mailer, oauth });
  const subgraphs = recordOf(SERVICES, (name) => (name === 'workspaces' ? url : 'http://127.0.0.1:9/graphql'));
  const gateway = starting.use(new Gateway({ supergraph: supergraph(), subgraphs }));
  const app = await createApp({
    ...{ gateway, deployment: settings.deployment, origin: settings.origin },
    admission: {
      ask: async (question) => (await workspaces.admit([{ ...question, via: 'web' }]))[0]!,
      askPerson: (question) => answerPerson(workspaces.em, question),
    },
    log: createLog('console', 'fatal'),
    trustedProxies: ['127.0.0.1'],
    waitingFor: () => Promise.resolve([]),
  });
  starting.adopt(app, (open) => open.close());
  const console = await app.listen({ host: '127.0.0.1', port: 0 });
  const stack = starting.move();
  return {
    besides: (path: string) => (CONSOLE_PATHS.test(path) ? console : undefined),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
