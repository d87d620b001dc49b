import type { KeyObject } from 'node:crypto';
import * as kit from '@payroll/pages';
import { openEdge, type Drain, type WaitingFor } from '@payroll/runtime';
import type { ServiceParts } from '@payroll/service';
import { asDomainError } from '@payroll/store';
import type { FastifyInstance } from 'fastify';
import type { Mailer } from '../mail/mailer.js';
import { SecondFactors } from '../accounts/second-factor.js';
import { Sessions } from '../accounts/sessions.js';
import { OwnExchange } from './exchange.js';
import type { Web, WebRoutes, WebSettings } from './web.js';

interface WebParts {
  settings: WebSettings;
  mailer: Mailer | null;
  secondFactorKeys: readonly KeyObject[];
}

export async function startWeb(
  { em, commands, bus, log }: ServiceParts,
  { drain, waitingFor }: { drain: Drain; waitingFor: WaitingFor },
  { settings, mailer, secondFactorKeys }: WebParts,
  routes: WebRoutes,
): Promise<AsyncDisposable> {
  await using starting = new AsyncDisposableStack();
  const app = await createWeb(
    {
      ...{ settings, em, commands, bus, log, mailer },
      ...{ sessions: new Sessions(em), secondFactors: new SecondFactors(em, secondFactorKeys) },
    },
    routes,
    waitingFor,
  );
  starting.use(await openEdge(app, drain, settings, 'AUTH_LISTEN_PORT'));
  return starting.move();
}

/** The public server of the pages and of the endpoints mounted with them; not yet listening. */
export function createWeb(web: Web, { pages, endpoints }: WebRoutes, waitingFor: WaitingFor): Promise<FastifyInstance> {
  const { origin, trustedProxies } = web.settings;
  return kit.servePages({
    ...{ log: web.log, waitingFor, trustedProxies, origin, answerError },
    // The sign-in pages carry the form that was sent without a session.
    longForms: ['/sign-in', '/sign-in/code'],
    exchangeOf: (request, reply) => OwnExchange.of(web, request, reply),
    pages: pages.map((routes) => routes(web)),
    endpoints: endpoints.map((routes) => routes(web)),
  });
}

async function answerError(at: OwnExchange, failure: unknown): Promise<kit.Answer> {
  return await kit.answerError(at, failure, { log: at.web.log, asRefusal, keepTyped: requireSomebody });
}

function asRefusal(thrown: unknown): unknown {
  return thrown instanceof kit.Detour || thrown instanceof kit.FormTooOld ? thrown : asDomainError(thrown);
}

/**
 * Forms of signed-in people require sign-in again; their fields are passwords, so none are saved. Forms for strangers
 * work without a session.
 */
async function requireSomebody(at: OwnExchange): Promise<void> {
  if (at.request.routeOptions.config.isForStrangers !== true) await at.requireSignIn();
}
