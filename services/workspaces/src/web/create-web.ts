import type { KeyObject } from 'node:crypto';
import * as kit from '@payroll/pages';
import { openServer, type Drain, type ReadinessCheck } from '@payroll/runtime';
import type { ServiceDependencies } from '@payroll/service';
import { mapDatabaseError } from '@payroll/store';
import type { FastifyInstance } from 'fastify';
import type { Mailer } from '../mail/mailer.js';
import { SecondFactors } from '../accounts/second-factor.js';
import { Sessions } from '../accounts/sessions.js';
import {
  AccountContext,
  type WebDependencies,
  type WebRoutes,
  type WebSettings,
  answering,
  type RoutePlugin,
} from './account-context.js';
import { withDraft, signInPages, workspacePages } from './pages/sign-in.js';
import { acceptInvitationPage } from './pages/accept-invitation.js';
import { accountPages } from './pages/account.js';
import { closeAccountPages } from './pages/close-account.js';
import { forgotPasswordPages } from './pages/forgot-password.js';
import { ownAddressPages } from './pages/own-address.js';
import { secondFactorPages } from './pages/second-factor.js';
import { mailChoicePages } from './pages/mail-choices.js';
import { stopLinkPages } from './pages/stop-links.js';

/** Pages of a person's account and memberships. The console serves the pages of a workspace. */
export const pages: readonly RoutePlugin[] = [
  answering(
    { ...signInPages, ...forgotPasswordPages, ...acceptInvitationPage, ...stopLinkPages },
    { isForStrangers: true },
  ),
  answering({
    ...accountPages,
    ...secondFactorPages,
    ...ownAddressPages,
    ...mailChoicePages,
    ...closeAccountPages,
    ...workspacePages,
  }),
];

interface WebOptions {
  settings: WebSettings;
  mailer: Mailer | null;
  secondFactorKeys: readonly KeyObject[];
}

export async function startWeb(
  { em, commands, bus, log }: ServiceDependencies,
  { drain, waitingFor }: { drain: Drain; waitingFor: ReadinessCheck },
  { settings, mailer, secondFactorKeys }: WebOptions,
  routes: WebRoutes,
): Promise<AsyncDisposable> {
  const web: WebDependencies = {
    settings,
    em,
    commands,
    bus,
    log,
    mailer,
    sessions: new Sessions(em),
    secondFactors: new SecondFactors(em, secondFactorKeys),
  };
  const app = await createWeb(web, routes, waitingFor);
  return await openServer(app, drain, settings, 'AUTH_LISTEN_PORT');
}

/** The public server of the pages and of the endpoints mounted with them; not yet listening. */
export function createWeb(
  web: WebDependencies,
  { pages, endpoints }: WebRoutes,
  waitingFor: ReadinessCheck,
): Promise<FastifyInstance> {
  const { origin, trustedProxies } = web.settings;
  return kit.servePages({
    log: web.log,
    waitingFor,
    trustedProxies,
    origin,
    answerError,
    // The sign-in pages carry the form that was sent without a session.
    longForms: ['/sign-in', '/sign-in/code'],
    exchangeOf: (request, reply) => AccountContext.of(web, request, reply),
    pages: pages.map((routes) => routes(web)),
    endpoints: endpoints.map((routes) => routes(web)),
  });
}

async function answerError(ctx: AccountContext, failure: unknown): Promise<kit.PageResponse> {
  return withDraft(
    ctx,
    await kit.answerError(ctx, failure, { log: ctx.web.log, asRefusal, keepTyped: requireSomebody }),
  );
}

function asRefusal(thrown: unknown): unknown {
  return thrown instanceof kit.SignInRedirect || thrown instanceof kit.StaleFormError
    ? thrown
    : mapDatabaseError(thrown);
}

/**
 * Forms of signed-in people require sign-in again; their fields are passwords, so none are saved. Forms for strangers
 * work without a session.
 */
async function requireSomebody(ctx: AccountContext): Promise<void> {
  if (ctx.request.routeOptions.config.isForStrangers !== true) await ctx.requireSignIn();
}
